// SPDX-License-Identifier: BSD-3-Clause
// Threads and processes that a bound thread creates begin with the process's mask, whichever
// function starts them, unless somebody gave them another on purpose.
#pragma once

#include <stdlib.h>

#include "binding/kernel_mask.hpp"

namespace nestbind::binding {

// The calling thread has the process's mask while this lives, if it is bound, and has not been
// given another mask since: what is created in between inherits it.
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
  CpuMask bound_{};  // no bits: nothing has changed
};

// For exec, also in a child of vfork, which shares the record of the thread that waits for it: the
// record stays as it is, and where exec fails, the mask too.
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

// Calls a function that creates threads or processes.
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

// A helper thread of a bound thread, and its own beginning with the process's mask.
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
