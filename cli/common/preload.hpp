// SPDX-License-Identifier: BSD-3-Clause
// Finds libnestbind, and sets variables in this process that bind the programs that it starts.
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

// asked: a file; empty: this command's own library. Not set, after a message: it is missing.
std::optional<std::string> find_library(const std::string& asked);

// The first sanitizer's library among the libraries of a program; empty if there is none.
std::string needed_sanitizer(const std::vector<std::string>& needed);

struct Binding {
  const spec::Spec* spec = nullptr;  // null: nothing is bound, but perhaps loops are scheduled
  int levels = 0;                    // the largest number of levels in a rule for single regions
  // The values of nestbind's variables, in the table's order; empty: not changed.
  std::array<std::string, options::kVariables> values;
  std::string library;    // the path of libnestbind.so
  std::string sanitizer;  // a sanitizer's library that the program needs; it is preloaded first
};

// A value of NESTBIND_MACHINE. If it is the name of a file, the path becomes absolute.
std::string name_from_root(const std::string& machine);

// Sets the variables. File names become absolute, because the program may change its folder.
void set_variables(const Binding& binding);

}  // namespace nestbind::cli
