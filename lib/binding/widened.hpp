// SPDX-License-Identifier: BSD-3-Clause
// Threads and processes that a bound thread creates begin with the process's mask, whichever
// function starts them, unless somebody gave them another on purpose.
#pragma once

#include "binding/kernel_mask.hpp"

namespace nestbind::binding {

// Gives the calling thread the process's mask, if it is bound, and has not been given another mask
// since. Returns what it was bound to, for bind_back(); no bits: nothing has changed.
inline CpuMask widen_self() {
  const CpuMask bound = bound_mask();
  if (!self_is_bound() || !kernel_mask_is(bound)) {
    return {};
  }
  widen_kernel_mask();
  forget_binding();
  return bound;
}

inline void bind_back(const CpuMask& bound) {
  if (bound.bits != nullptr) {
    bind_again(bound);
  }
}

// The calling thread has the process's mask while this lives: what is created in between inherits
// it.
class Widened {
 public:
  Widened() : bound_(widen_self()) {}
  ~Widened() { bind_back(bound_); }
  Widened(const Widened&) = delete;
  Widened& operator=(const Widened&) = delete;

 private:
  CpuMask bound_;
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

}  // namespace nestbind::binding
