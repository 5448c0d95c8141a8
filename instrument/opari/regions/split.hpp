// SPDX-License-Identifier: BSD-3-Clause
// A combined construct taken apart, so that nothing but a plain `parallel` stands around the
// region, and what it was combined with within. How each clause is given to the parts is what
// OpenMP says of combined constructs, and what GCC does.
#pragma once

#include <string>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

// The two directives that one is split into. Empty texts: nothing of the kind.
struct Parts {
  std::string outer;              // the clauses of parallel, without if and num_threads
  std::string inner;              // a directive with its clauses: "for schedule(static)"
  std::string condition;          // of if
  std::string threads;            // of num_threads
  bool condition_inside = false;  // if belongs to the inner directive as well
  bool barrier = false;           // the inner directive does not end with one
};

// condition_name: the variable that has the condition.
Parts split(const Directive& directive, const std::string& condition_name);

}  // namespace nestbind::opari
