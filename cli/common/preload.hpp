// SPDX-License-Identifier: BSD-3-Clause
// Where libnestbind is, and the variables with which a program is bound: this process gets them,
// and so what it starts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "options/table.hpp"
#include "spec/spec.hpp"
#include "support/preload_list.hpp"

namespace nestbind::cli {

using support::is_sanitizer;
using support::kLibraryFile;
using support::preload_with;
using support::preload_without;

// The library: the file that is asked for, or if empty the one that belongs to this command,
// installed or in the build tree. None if it is not there, with a message.
std::optional<std::string> find_library(const std::string& asked);

// The first of a program's libraries that is one; empty if none is.
std::string needed_sanitizer(const std::vector<std::string>& needed);

struct Binding {
  const spec::Spec* spec = nullptr;  // null: none, where there is a schedule of loops
  int levels = 0;                    // the most that a rule for single regions has
  // The value of each variable of nestbind's, in the table's order; empty: as it is.
  std::array<std::string, options::kVariables> values;
  std::string library;    // its file
  std::string sanitizer;  // a sanitizer's library that the program needs, and that comes first
};

// A machine of NESTBIND_MACHINE: the name of a file from the root, a description as it is.
std::string name_from_root(const std::string& machine);

// Files are named from the root: the program may go to another folder before it uses them.
void set_variables(const Binding& binding);

}  // namespace nestbind::cli
