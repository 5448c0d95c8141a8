// SPDX-License-Identifier: BSD-3-Clause
// The copies of libgomp in this process, and the one that a fork belongs to.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::gomp {

using Outlined = void (*)(void*);

// The entries that fork a team. libgomp 12 has them all; an older one has the first.
enum Entry {
  kParallel,
  kParallelSections,
  kParallelReductions,
  kLoopStatic,
  kLoopDynamic,
  kLoopGuided,
  kLoopRuntime,
  kLoopNonmonotonicDynamic,
  kLoopNonmonotonicGuided,
  kLoopNonmonotonicRuntime,
  kLoopMaybeNonmonotonicRuntime,
  kParallelStart,
  kSectionsStart,
  kLoopStaticStart,
  kLoopDynamicStart,
  kLoopGuidedStart,
  kLoopRuntimeStart,
  kParallelEnd,
  kEntries
};

struct Runtime {
  void* entry[kEntries];
  omp::Calls calls;
  bool is_gnu;    // false: LLVM's runtime behind GCC's names
  bool is_heard;  // here; otherwise its tool interface reports the fork
};

// The copy that the module of an address (an outlined function, a caller) is bound to. Programs may
// load several, renamed and out of each other's sight, as Python wheels do. Null where there is
// none.
const Runtime* runtime_of(const void* code);

// The copy in the global scope, if runtime_of has found it; never asks the loader.
const Runtime* global_runtime();

}  // namespace nestbind::gomp
