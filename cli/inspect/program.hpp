// SPDX-License-Identifier: BSD-3-Clause
// How a program would be started: which file it is, whether the loader accepts LD_PRELOAD for it,
// and which program interprets a script.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// The file that execvp would start for a name; none if there is no such file.
std::optional<std::string> find_program(const std::string& name);

// For a name that is not in PATH: "; did you mean ./NAME?" if the current folder has such a
// program, otherwise nothing.
std::string hint_of_missing(const std::string& name);

// Why the kernel would refuse an existing file, whatever it contains; empty if it would not.
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

// The interpreter of a file that begins with "#!", and the name of the program that does the work:
// for env(1) the program that env starts. For a file that is neither a script nor a program: the
// shell, since execvp(3) and every shell run such a file with it. Empty for programs.
struct Script {
  std::string interpreter;
  std::string program;
  bool is_named = true;  // false: the file has no "#!" line
};
Script read_script(const std::string& path);

// A hint if a script has line ends of another system: a carriage return at the end of its
// interpreter's name is invisible. Otherwise empty.
std::string hint_of(const std::string& interpreter);

// The file that the kernel needs to start `path`: a script's interpreter with that hint, or a
// program's loader. Empty for other files.
std::string starter_of(const std::string& path);

}  // namespace nestbind::cli::inspect
