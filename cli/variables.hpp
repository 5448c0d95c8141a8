// SPDX-License-Identifier: BSD-3-Clause
// The variables with which a program is bound: this process gets them, and so what it starts.
#pragma once

#include <array>
#include <string>

#include "options/table.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

struct Binding {
  const spec::Spec* spec = nullptr;  // null: none, where there is a schedule of loops
  // The value of each variable of nestbind's, in the table's order; empty: as it is.
  std::array<std::string, options::kVariables> values;
  std::string library;    // its file
  std::string sanitizer;  // a sanitizer's library that the program needs, and that comes first
};

// Files are named from the root: the program may go to another folder before it uses them.
void set_variables(const Binding& binding);

}  // namespace nestbind::cli
