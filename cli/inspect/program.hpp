// SPDX-License-Identifier: BSD-3-Clause
// Finds the file of a program, and the interpreter of a script. Finds privileges for which the
// loader ignores LD_PRELOAD. Runs a program of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::inspect {

// Returns the file that execvp starts for a name. Returns nothing if there is no such file.
std::optional<std::string> find_program(const std::string& name);

std::string hint_of_missing(const std::string& name);

// Returns the reason why the kernel refuses to start an existing file. The reason may be empty.
// Does not read the file.
std::string refusal_of(const std::string& path);

// Privileges for which the loader ignores LD_PRELOAD.
struct Privileges {
  bool set_id = false;
  bool capabilities = false;
  bool concerns_caller = false;  // the program has more privileges than the calling user
};
Privileges privileges_of(const std::string& path);

std::string name_of(const Privileges& privileges);

// How the kernel starts a file. If the file is a program, both texts are empty.
struct Script {
  std::string interpreter;
  // The interpreter, or the program that env(1) starts.
  std::string program;
  // False if the "#!" line is missing. Then a shell reads the file.
  bool is_named = true;
};
Script read_script(const std::string& path);

std::string hint_of(const std::string& interpreter);

// Returns the interpreter of a script with hint_of(). For a program, returns the loader.
std::string starter_of(const std::string& path);

enum class Errors { kKept, kDropped };  // whether the standard error output is a part of the answer

// Runs a program with this standard input, and returns what it writes. Not set if the program does
// not start. status: as from waitpid.
std::optional<std::string> answer_of(const std::vector<std::string>& words,
                                     const std::vector<std::string>& environment,
                                     const std::string& input, Errors errors, int& status);

}  // namespace nestbind::cli::inspect
