// SPDX-License-Identifier: BSD-3-Clause
// Which file a program is, whether its loader accepts LD_PRELOAD, and which program runs a script.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// The file that execvp would start for a name; none if there is no such file.
std::optional<std::string> find_program(const std::string& name);

// "; did you mean ./NAME?" if the current folder has the program and PATH has not; or nothing.
std::string hint_of_missing(const std::string& name);

// Returns why the kernel would refuse an existing file with any contents; empty if it would not.
std::string refusal_of(const std::string& path);

// Why the loader ignores LD_PRELOAD for a program file, and for which callers.
struct Privileges {
  bool set_id = false;           // set-user-ID or set-group-ID
  bool capabilities = false;     // file capabilities
  bool concerns_caller = false;  // they give more than the calling user has
};
Privileges privileges_of(const std::string& path);

// "set-user-ID" and the like.
std::string name_of(const Privileges& privileges);

// The interpreter of a "#!" file, and the program that does the work: for env(1) the one it starts.
// For a file of no known kind the shell, as execvp(3) and shells do. Empty for programs.
struct Script {
  std::string interpreter;
  std::string program;
  bool is_named = true;  // false: the file has no "#!" line
};
Script read_script(const std::string& path);

// A hint if the interpreter's name ends in an invisible carriage return, or empty.
std::string hint_of(const std::string& interpreter);

// The file that the kernel needs to start `path`: an interpreter with its hint, or a loader.
std::string starter_of(const std::string& path);

}  // namespace nestbind::cli::inspect
