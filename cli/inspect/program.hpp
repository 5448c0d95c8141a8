// SPDX-License-Identifier: BSD-3-Clause
// A program as it would be started: which file it is, what the loader grants it, and who reads a
// script.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli::inspect {

// The file that execvp would start for a name; none if there is none.
std::optional<std::string> find_program(const std::string& name);

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
// the one that it starts. Empty of others.
struct Script {
  std::string interpreter;
  std::string program;
};
Script read_script(const std::string& path);

}  // namespace nestbind::cli::inspect
