// SPDX-License-Identifier: BSD-3-Clause
// Finds libnestbind, and sets variables that bind the programs that this process starts.
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

// If `asked` is empty, finds this command's own library. If the library is missing, prints a
// message and returns nothing.
std::optional<std::string> find_library(const std::string& asked);

std::string needed_sanitizer(const std::vector<std::string>& needed);

struct Binding {
  const spec::Spec* spec = nullptr;  // null if nothing is bound
  int levels = 0;                    // the largest number of levels in a rule for single regions
  // The values of nestbind's variables, in the table's order. An empty value changes nothing.
  std::array<std::string, options::kVariables> values;
  std::string library;
  std::string sanitizer;
  // The size of the outermost team if the specification has a word or * for it, or 0 to leave it to
  // the process.
  int first_size = 0;
};

// If the value names a file, the path becomes absolute.
std::string name_from_root(const std::string& machine);

// Names of files become absolute, because the program may change its folder.
void set_variables(const Binding& binding);

}  // namespace nestbind::cli
