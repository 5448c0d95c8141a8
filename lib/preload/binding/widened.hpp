// SPDX-License-Identifier: BSD-3-Clause
// A new thread or process inherits the mask of a bound thread. The code here replaces the inherited
// mask by the process's mask.
#pragma once

#include <stdlib.h>

#include "binding/kernel_mask.hpp"

namespace nestbind::binding {

// Gives a bound thread the process's mask for the lifetime of this object. Does nothing if another
// mask was set after the binding.
class Widened {
 public:
  Widened() {
    const CpuMask bound = bound_mask();
    if (self_is_bound() && kernel_mask_is(bound)) {
      widen_kernel_mask();
      forget_binding();
      bound_ = bound;
    }
  }
  ~Widened() {
    if (bound_.bits != nullptr) {
      bind_again(bound_);
    }
  }
  Widened(const Widened&) = delete;
  Widened& operator=(const Widened&) = delete;

 private:
  CpuMask bound_{};
};

// Does not change the thread's record, because a child of vfork shares the record of its waiting
// parent.
class WidenedForExec {
 public:
  WidenedForExec() : widened_(kernel_mask_is(bound_mask())) {
    if (widened_) {
      widen_kernel_mask();
    }
  }
  ~WidenedForExec() {
    if (widened_) {
      restore_kernel_mask(bound_mask());
    }
  }
  WidenedForExec(const WidenedForExec&) = delete;
  WidenedForExec& operator=(const WidenedForExec&) = delete;

 private:
  bool widened_;
};

template <typename Function, typename... Arguments>
auto widened(Function* function, Arguments... arguments) {
  const Widened while_it_creates;
  return function(arguments...);
}

template <typename Function, typename... Arguments>
int widened_for_exec(Function* function, Arguments... arguments) {
  const WidenedForExec while_it_tries;
  return function(arguments...);
}

template <typename Result>
struct Beginning {
  Result (*function)(void*);
  void* argument;
  CpuMask inherited;
  CpuMask free;  // of the creator
};

template <typename Result>
Result begin_free(void* memory) {
  const auto beginning = *static_cast<Beginning<Result>*>(memory);
  free(memory);
  // If the thread's mask differs from its creator's mask, the mask was set on purpose, and stays.
  if (kernel_mask_is(beginning.inherited)) {
    restore_kernel_mask(beginning.free);
  }
  return beginning.function(beginning.argument);
}

// Calls create(function, argument), which creates a thread and returns 0 on success. If the calling
// thread is bound, the new thread runs begin_free first.
template <typename Result, typename Create>
int create_free(Result (*function)(void*), void* argument, Create create) {
  auto* beginning = self_is_bound()
                        ? static_cast<Beginning<Result>*>(malloc(sizeof(Beginning<Result>)))
                        : nullptr;
  if (beginning == nullptr) {
    return create(function, argument);
  }
  *beginning = {function, argument, bound_mask(), free_mask()};
  const int result = create(begin_free<Result>, beginning);
  if (result != 0) {
    free(beginning);
  }
  return result;
}

}  // namespace nestbind::binding
