// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "instrument/ompt/ompt_abi.hpp"

namespace nestbind::ompt {

// Whether a parallel_begin is that of a league. Inside a league, LLVM's runtimes (14 and 19;
// Intel's does not) report a further region for each of its teams, which omp_get_level does not
// count: the program has not entered the runtime for it, and has no address to return to.
inline bool is_league(const Frame* frame, int flags, const void* code) {
  return (flags & kParallelLeague) != 0 ||
         (code == nullptr && frame != nullptr && frame->enter_frame.ptr == nullptr);
}

}  // namespace nestbind::ompt
