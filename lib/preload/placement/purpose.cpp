// SPDX-License-Identifier: BSD-3-Clause
#include "placement/purpose.hpp"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <initializer_list>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "placement/outside.hpp"
#include "placement/owner_word.hpp"
#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"
#include "process/armed.hpp"
#include "process/original_mask.hpp"
#include "support/clock.hpp"
#include "workers/census.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;
using mask::CpuMask;
using mask::MaskBuffer;

namespace {

constinit std::atomic<long> g_asked_at{0};  // milliseconds

bool is_due() {
  return support::milliseconds_now() - g_asked_at.load(std::memory_order_relaxed) >= 1000;
}

// Returns an FNV-1a hash, which is never 0.
uint64_t sign_of(const CpuMask& mask) {
  uint64_t sign = 0xcbf29ce484222325;
  for (std::size_t word = 0; word < mask.bytes / sizeof(unsigned long); ++word) {
    if (mask.bits[word] != 0) {
      sign = ((sign ^ word) * 0x100000001b3 ^ mask.bits[word]) * 0x100000001b3;
    }
  }
  return sign | 1;
}

bool is_meant(const CpuMask& now, const Thread& thread) {
  return !mask::is_same(now, process::original_mask()) && !is_divided_mask(now) &&
         sign_of(now) != thread.unmeant &&
         !(thread.bound.bits != nullptr && mask::is_same(now, thread.bound));
}

// Called under the lock of plans.
void adopt(const CpuMask& now) {
  if (process::change_original_mask(now)) {
    workers::set_processors(mask::count(now));
    renew_plan_in_force();
  }
}

// Recognises a runtime's file by its name, even if the runtime has not started. The program itself
// may contain the runtime. Then this function returns true for all code of the program before the
// first fork.
bool is_in_file_of_runtime(const void* code) {
  const char* file = interpose::module_file(code);
  if (file == nullptr) {
    return false;
  }
  if (file[0] == '\0') {
    const void* function = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    return owner() == 0 && function != nullptr &&
           interpose::module_range(reinterpret_cast<uintptr_t>(function)).has(getauxval(AT_ENTRY));
  }
  for (const char* runtime : {"libgomp", "libomp", "libiomp"}) {
    if (strncmp(file, runtime, strlen(runtime)) == 0) {
      return true;
    }
  }
  return false;
}

// A runtime sets masks only if the user has asked for binding. In other cases this function usually
// avoids the loader, because another thread may hold the loader's lock.
bool is_by_runtime(const void* code) {
  if (omp::is_in_runtime(reinterpret_cast<uintptr_t>(code))) {
    return true;
  }
  const bool may_be =
      options::settings().competing != nullptr || (process::armed() && plan_in_force() == nullptr);
  return may_be && is_in_file_of_runtime(code);
}

// The initial thread is likely to own the plan.
bool may_follow() {
  const uintptr_t owning = owner();
  return !binding::masks_are_recorded() &&
         (owning == as_word(t_thread) || (owning == 0 && gettid() == getpid()));
}

void note(bool is_own, bool is_owners, bool by_runtime) {
  Thread& thread = t_thread;
  if (by_runtime || !is_outside_regions()) {
    MaskBuffer now;
    if (is_own && binding::read_self(now)) {
      thread.unmeant = sign_of(now.view());
      thread.slot_id = 0;
    }
    return;
  }
  if (is_own) {
    thread.unmeant = 0;
    thread.division = 0;
    if (binding::self_is_bound() && binding::kernel_mask_is(process::original_mask())) {
      binding::rebind_self();
      return;
    }
    // If the program sets exactly the slot's mask, this mask is for the process. A child of vfork
    // uses the record of its parent thread.
    const bool is_record_s = g_owner.id.load(std::memory_order_relaxed) == gettid();
    if (is_owners && is_record_s && binding::kernel_mask_is(thread.bound)) {
      binding::forget_binding();
    }
  }
  if (is_owners) {
    look_at_owner(OwnerWord::kMeant);
  } else if (!is_own) {
    divide_anew();  // the thread with the new mask may be a root
  }
}

}  // namespace

void follow_mask_of_root() {
  Thread& thread = t_thread;
  MaskBuffer now;
  if (binding::masks_are_recorded() || !binding::read_self(now)) {
    return;
  }
  if (is_meant(now.view(), thread)) {
    const PlansLocked locked;
    thread.own = locked ? process::kept_mask(now.view()) : thread.own;
    binding::forget_binding();
  } else if (thread.bound.bits != nullptr && !mask::is_same(now.view(), thread.bound)) {
    binding::rebind_self();
  }
}

bool runtime_sets_mask(const void* code) {
  if (!is_by_runtime(code)) {
    return false;
  }
  process::learn_original_mask();
  MaskBuffer now;
  if (binding::read_self(now) && is_meant(now.view(), t_thread)) {
    if (may_follow()) {
      const PlansLocked locked;
      if (locked) {
        adopt(now.view());
      }
    } else if (plan_in_force() != nullptr && is_divided(plan_in_force()->spec)) {
      follow_mask_of_root();
    }
  }
  return true;
}

void note_mask_set(pid_t thread, bool by_runtime) {
  if (thread == 0) {
    note(true, owner() == as_word(t_thread), by_runtime);
    return;
  }
  note(thread == gettid(), owner() != 0 && thread == g_owner.id.load(std::memory_order_relaxed),
       by_runtime);
}

void note_mask_set_of(pthread_t thread, bool by_runtime) {
  note(pthread_equal(thread, pthread_self()) != 0,
       owner() != 0 && pthread_equal(thread, g_owner.handle.load(std::memory_order_relaxed)) != 0,
       by_runtime);
}

void follow_own_mask() {
  Thread& thread = t_thread;
  MaskBuffer now;
  if (!may_follow() || !binding::read_self(now)) {
    return;
  }
  if (is_meant(now.view(), thread)) {
    const PlansLocked locked;
    if (locked) {
      adopt(now.view());
    }
    binding::forget_binding();
  } else if (thread.bound.bits != nullptr && !mask::is_same(now.view(), thread.bound)) {
    binding::rebind_self();
  }
  g_asked_at.store(support::milliseconds_now(), std::memory_order_relaxed);
}

void follow_mask_of_owner() {
  if (binding::masks_are_recorded() || !is_due()) {
    return;
  }
  const PlansLocked locked;
  const uintptr_t owning = owner();
  if (!locked || owning == 0 || !is_due()) {  // another member may have asked in the meantime
    return;
  }
  // The record does not change now. The owner is this thread or a waiting thread.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a word with flags
  const auto& record = *reinterpret_cast<const Thread*>(owning);
  MaskBuffer now;
  if (binding::read_thread(g_owner.id.load(std::memory_order_relaxed), now)) {
    if (is_meant(now.view(), record)) {
      adopt(now.view());
    }
    if (owning == as_word(t_thread) && record.bound.bits != nullptr &&
        !mask::is_same(now.view(), record.bound)) {
      t_thread.slot_id = 0;
    }
  }
  g_asked_at.store(support::milliseconds_now(), std::memory_order_relaxed);
}

void undo_runtime_s_mask() {
  const Thread& thread = t_thread;
  MaskBuffer now;
  if (binding::masks_are_recorded() || !binding::read_self(now)) {
    return;
  }
  const bool is_bound = thread.bound.bits != nullptr;
  if (owner() == as_word(thread) && is_meant(now.view(), thread)) {
    look_at_owner(OwnerWord::kLook);
  } else if (is_bound && !mask::is_same(now.view(), thread.bound)) {
    binding::rebind_self();
  } else if (!is_bound && sign_of(now.view()) == thread.unmeant) {
    binding::widen_kernel_mask();
  }
}

}  // namespace nestbind::placement
