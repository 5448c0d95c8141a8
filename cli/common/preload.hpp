// SPDX-License-Identifier: BSD-3-Clause
// Finds libnestbind, and sets in this process the variables that bind the programs it starts.
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

// asked: a file; empty: this command's own library. None, with a message: it does not exist.
std::optional<std::string> find_library(const std::string& asked);

// The first of a program's libraries that is a sanitizer's; empty if none is.
std::string needed_sanitizer(const std::vector<std::string>& needed);

struct Binding {
  const spec::Spec* spec = nullptr;  // null: none, but a schedule of loops or the like
  int levels = 0;                    // the largest number of levels in a rule for single regions
  // The values of nestbind's variables, in the table's order; empty: not changed.
  std::array<std::string, options::kVariables> values;
  std::string library;    // the path of libnestbind.so
  std::string sanitizer;  // a sanitizer's library that the program needs: preloaded first
};

// A value of NESTBIND_MACHINE. A file's name becomes an absolute path; a description is kept.
std::string name_from_root(const std::string& machine);

// Sets the variables. File names become absolute: the program may change its folder.
void set_variables(const Binding& binding);

}  // namespace nestbind::cli
