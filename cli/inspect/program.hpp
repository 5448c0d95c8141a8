// SPDX-License-Identifier: BSD-3-Clause
// Finds a program's file, what keeps its loader from using LD_PRELOAD, and what runs a script.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// Returns the file that execvp starts for a name; not set if there is no such file.
std::optional<std::string> find_program(const std::string& name);

std::string hint_of_missing(const std::string& name);

// Returns why the kernel refuses to start an existing file, or an empty text. Does not read the
// file.
std::string refusal_of(const std::string& path);

// Privileges for which the loader ignores LD_PRELOAD.
struct Privileges {
  bool set_id = false;
  bool capabilities = false;
  bool concerns_caller = false;  // the program has more privileges than the calling user
};
Privileges privileges_of(const std::string& path);

std::string name_of(const Privileges& privileges);

// The interpreter of a "#!" file, and the program that does the work. For env(1), the latter is
// the program that env starts. For a file that is no program and names no interpreter, both are the
// shell. For a program, both are empty.
struct Script {
  std::string interpreter;
  std::string program;
  bool is_named = true;  // false if the file has no "#!" line
};
Script read_script(const std::string& path);

std::string hint_of(const std::string& interpreter);

// Returns the file that the kernel needs to start `path`: an interpreter, with hint_of(), or a
// loader.
std::string starter_of(const std::string& path);

}  // namespace nestbind::cli::inspect
