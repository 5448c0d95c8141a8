// SPDX-License-Identifier: BSD-3-Clause
// Splits a combined construct into a plain `parallel` around the region and other directives
// inside. Each clause goes to the directive to which OpenMP's rules assign it, as in GCC.
#pragma once

#include <string>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

// A text is empty if the construct has no such part.
struct Parts {
  std::string outer;  // parallel's clauses, without if and num_threads
  std::string inner;  // a directive with its clauses: "for schedule(static)"
  std::string condition;
  std::string threads;
  bool condition_inside = false;  // the inner directive needs the if clause, too
  bool barrier = false;           // the inner directive does not end with a barrier
};

// condition_name: the variable with the condition's value.
Parts split(const Directive& directive, const std::string& condition_name);

}  // namespace nestbind::opari
