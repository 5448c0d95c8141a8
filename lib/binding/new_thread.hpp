// SPDX-License-Identifier: BSD-3-Clause
// A helper thread of a bound thread, and its own beginning with the process's mask.
#pragma once

#include <stdlib.h>

#include "binding/kernel_mask.hpp"

namespace nestbind::binding {

template <typename Result>
struct Beginning {
  Result (*function)(void*);
  void* argument;
  CpuMask inherited;  // from its creator
};

template <typename Result>
Result begin_free(void* memory) {
  const auto beginning = *static_cast<Beginning<Result>*>(memory);
  free(memory);
  // Another mask than the creator's was given on purpose.
  if (kernel_mask_is(beginning.inherited)) {
    widen_kernel_mask();
  }
  return beginning.function(beginning.argument);
}

// Creates a thread by create(function, argument), which returns 0 on success: ours before the
// program's, where the calling thread is bound.
template <typename Result, typename Create>
int create_free(Result (*function)(void*), void* argument, Create create) {
  auto* beginning = self_is_bound()
                        ? static_cast<Beginning<Result>*>(malloc(sizeof(Beginning<Result>)))
                        : nullptr;
  if (beginning == nullptr) {
    return create(function, argument);
  }
  *beginning = {function, argument, bound_mask()};
  const int result = create(begin_free<Result>, beginning);
  if (result != 0) {
    free(beginning);
  }
  return result;
}

}  // namespace nestbind::binding
