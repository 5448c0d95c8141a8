// SPDX-License-Identifier: BSD-3-Clause
// A program as it would be started: which file it is, and what the loader grants it.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

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

// A path of the caller's, for programs that may go to another directory before they use it. Empty
// for an empty one.
std::string absolute(const std::string& path);

// The directory of the running command.
std::string own_directory();

}  // namespace nestbind::cli
