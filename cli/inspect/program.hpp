// SPDX-License-Identifier: BSD-3-Clause
// A program as it would be started: which file it is, what the loader grants it, and who reads a
// script.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// The file that execvp would start for a name; none if there is none.
std::optional<std::string> find_program(const std::string& name);

// What a name that no folder of PATH has may have been meant to be: "; did you mean ./NAME?" where
// the present folder has such a program, or nothing.
std::string hint_of_missing(const std::string& name);

// Why the kernel would not execute a file that is there, whatever it contains; empty if it would.
std::string refusal_of(const std::string& path);

// Why the loader ignores LD_PRELOAD for a program file, and for whom.
struct Privileges {
  bool set_id = false;           // set-user-ID or set-group-ID
  bool capabilities = false;     // file capabilities
  bool concerns_caller = false;  // they are more than what the calling user has
};
Privileges privileges_of(const std::string& path);

// "set-user-ID" and the like.
std::string name_of(const Privileges& privileges);

// The interpreter of a file that begins with "#!", and the program that counts, by name: of env(1)
// the one that it starts. Of what is neither that nor a program, the shell: execvp(3), as every
// shell, has it read what the kernel does not know. Empty of programs.
struct Script {
  std::string interpreter;
  std::string program;
  bool is_named = true;  // the file names it
};
Script read_script(const std::string& path);

// Where a script was written on another system, what no user sees in the name of its interpreter;
// empty elsewhere.
std::string hint_of(const std::string& interpreter);

// What has to be there for the kernel to start a file, as it is named there: a script's
// interpreter, with that hint; a program's loader. Empty of others.
std::string starter_of(const std::string& path);

}  // namespace nestbind::cli::inspect
