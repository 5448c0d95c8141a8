// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "omp/calls.hpp"

namespace nestbind::ompt {

// Finds the omp_* functions of the runtime that `lookup` belongs to, in its own module, and keeps
// that module loaded from then on. Returns false, with `calls` undefined, where they cannot be
// reached: a runtime that is linked statically into a program which does not export them.
bool find_omp_calls(Lookup lookup, omp::Calls& calls);

}  // namespace nestbind::ompt
