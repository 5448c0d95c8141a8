// SPDX-License-Identifier: BSD-3-Clause
#include "owner/purpose.hpp"

#include <string.h>
#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "owner/rank_part.hpp"
#include "owner/roots.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "process/armed.hpp"
#include "process/original_mask.hpp"
#include "process/rank.hpp"
#include "workers/census.hpp"

namespace nestbind::placement {

constinit std::atomic<unsigned> g_mask_changes{1};

using binding::t_thread;
using binding::Thread;
using mask::CpuMask;
using mask::MaskBuffer;

namespace {

// The processors that the process was started with, or that the program has set for it. Without
// bits: all, because the process was started with the whole cpuset.
constinit CpuMask g_wanted{0, nullptr};
constinit MaskBuffer g_cpuset{};  // at the last look; empty before the first one
// The hash of a meant mask that the thread has while a runtime sets a mask, or 0.
constinit thread_local uint64_t t_meant_before __attribute__((tls_model("initial-exec"))) = 0;

// The last call by which the initial thread or the owner has set its own mask.
struct SeenCall {
  std::atomic<const void*> code{nullptr};
  std::atomic<uint64_t> mask{0};  // hash of the mask
  std::atomic<long> at{0};
};
constinit SeenCall g_last_call;

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
bool change_mask(const CpuMask& now) {
  const bool is_changed = process::change_original_mask(now);
  if (is_changed) {
    workers::set_processors(mask::count(now));
    renew_plan_in_force();
    divide_anew();
  }
  return is_changed;
}

// Asks the loader, as the planning that follows does.
void note_setter(const CpuMask& now) {
  const char* const file = g_last_call.mask.load(std::memory_order_acquire) == sign_of(now)
                               ? interpose::module_file(g_last_call.code)
                               : nullptr;
  if (file != nullptr) {
    process::note_mask_setter(file[0] == '\0' ? "the program" : file, g_last_call.at);
  }
}

void remember_call(const void* code) {
  MaskBuffer now;
  if (binding::read_self(now)) {
    g_last_call.code.store(code, std::memory_order_relaxed);
    g_last_call.at.store(support::milliseconds_now(), std::memory_order_relaxed);
    g_last_call.mask.store(sign_of(now.view()), std::memory_order_release);
  }
}

// A runtime sets masks only if the user has asked for binding. In other cases this function usually
// avoids the loader, because another thread may hold the loader's lock.
bool is_by_runtime(const void* code) {
  if (omp::is_in_runtime(reinterpret_cast<uintptr_t>(code))) {
    return true;
  }
  const bool may_be =
      options::settings().competing != nullptr || (process::armed() && plan_in_force() == nullptr);
  return may_be && omp::is_in_file_of_runtime(code, owner() == nullptr);
}

// The initial thread is likely to own the plan, unless another root thread was first.
bool may_follow() {
  return !binding::masks_are_recorded() &&
         (is_owner() ||
          (owner() == nullptr && gettid() == getpid() && g_roots.is_first(t_thread.root)));
}

void note(bool is_own, bool is_owners, bool by_runtime, const void* code) {
  Thread& thread = t_thread;
  if (by_runtime || !is_outside_regions()) {
    MaskBuffer now;
    if (is_own && binding::read_self(now)) {
      const uint64_t sign = sign_of(now.view());
      // LLVM's runtime sets the thread's own mask again when it starts.
      thread.unmeant = sign == t_meant_before ? thread.unmeant : sign;
      thread.slot_id = 0;
    }
    return;
  }
  if (is_own && (is_owners || gettid() == getpid())) {
    remember_call(code);
  }
  if (is_own) {
    thread.unmeant = 0;
    thread.division = 0;
    if (binding::self_is_bound() && binding::kernel_mask_is(binding::free_mask())) {
      binding::rebind_self();
      return;
    }
    // If the program sets exactly the slot's mask, this mask is meant, too. A child of vfork uses
    // the record of its parent thread.
    const pid_t self = gettid();
    const bool is_record_s =
        is_owners ? g_owner.id.load(std::memory_order_relaxed) == self : self != getpid();
    if (is_record_s && binding::kernel_mask_is(thread.bound)) {
      binding::forget_binding();
    }
  }
  if (is_owners) {
    g_owner.is_meant.store(true, std::memory_order_release);
  }
  if (is_owners || !is_own) {
    divide_anew();  // the thread with the new mask may be a root
  }
}

// Returns true if the cpuset has changed since the last look. Then the process's mask follows. The
// mask of a divided rank stays its part.
bool look_at_cpuset() {
  MaskBuffer cpuset;
  const process::Part* const part = process::part();
  const bool is_divided = part != nullptr && strcmp(part->kind, "divided") == 0;
  if (t_thread.own.bits != nullptr || is_divided || !binding::read_cpuset(cpuset)) {
    return false;
  }
  const PlansLocked locked;
  if (!locked || mask::is_same(cpuset.view(), g_cpuset.view())) {
    return false;
  }
  const CpuMask present = process::original_mask();
  if (mask::count(g_cpuset.view()) == 0 && !mask::is_same(cpuset.view(), present)) {
    g_wanted = present;
  }
  g_cpuset = cpuset;
  MaskBuffer now = cpuset;
  for (int cpu = 0; g_wanted.bits != nullptr && cpu < mask::kMaxCpus; ++cpu) {
    if (!mask::has(g_wanted, cpu)) {
      mask::remove(now.bits, cpu);
    }
  }
  return mask::count(now.view()) > 0 && !mask::is_same(now.view(), present) &&
         change_mask(now.view());
}

// The calling thread's mask is `now`. Only the owner's mask is for the whole process.
void take_meant(const CpuMask& now) {
  Thread& thread = t_thread;
  const PlansLocked locked;
  if (locked && may_follow()) {
    thread.own = {};
    thread.unmeant = 0;  // the runtime's mask may come back by another process
    if (change_mask(now)) {
      g_wanted = process::original_mask();
      note_setter(now);
      g_mask_changes.fetch_add(1, std::memory_order_relaxed);
    }
  } else if (locked && !(thread.own.bits != nullptr && mask::is_same(thread.own, now))) {
    thread.own = process::kept_mask(now);
    divide_anew();
  }
  binding::forget_binding();
}

}  // namespace

bool runtime_sets_mask(const void* code) {
  if (!is_by_runtime(code)) {
    return false;
  }
  process::learn_original_mask();
  MaskBuffer now;
  t_meant_before = 0;
  if (!binding::masks_are_recorded() && binding::read_self(now) && is_outside_regions() &&
      is_meant(now.view(), t_thread)) {
    t_meant_before = sign_of(now.view());
    if (may_follow() || plan_in_force() != nullptr) {
      take_meant(now.view());
    }
  }
  return true;
}

bool places_instead_of_runtime() { return process::armed() && plan_in_force() != nullptr; }

void note_mask_set(pid_t thread, bool by_runtime, const void* code) {
  const pid_t owners = g_owner.id.load(std::memory_order_relaxed);
  const bool is_owners = thread == 0 ? is_owner() : owner() != nullptr && thread == owners;
  note(thread == 0 || thread == gettid(), is_owners, by_runtime, code);
}

void note_mask_set_of(pthread_t thread, bool by_runtime, const void* code) {
  note(pthread_equal(thread, pthread_self()) != 0,
       owner() != nullptr &&
           pthread_equal(thread, g_owner.handle.load(std::memory_order_relaxed)) != 0,
       by_runtime, code);
}

void follow_own_mask() {
  Thread& thread = t_thread;
  MaskBuffer now;
  if (binding::masks_are_recorded() || !binding::read_self(now)) {
    return;
  }
  if (thread.own.bits != nullptr && sign_of(now.view()) != thread.unmeant &&
      mask::is_same(now.view(), process::original_mask())) {
    thread.own = {};  // the root thread has set the process's mask again
    binding::forget_binding();
    divide_anew();
  } else if (is_meant(now.view(), thread) && !look_at_cpuset()) {
    take_meant(now.view());
  } else if (thread.bound.bits != nullptr && !mask::is_same(now.view(), thread.bound)) {
    binding::rebind_self();
  }
}

bool second_has_passed() {
  constexpr long kSecond = 1000;
  const bool has_passed = support::milliseconds_now() - t_thread.last_look >= kSecond;
  if (!has_passed) {
    t_thread.next_look = support::ticks() + support::kMoment;
  }
  return has_passed;
}

void look_again() {
  t_thread.next_look = support::ticks() + support::kMoment;
  t_thread.last_look = support::milliseconds_now();
  if (!binding::masks_are_recorded()) {
    look_at_cpuset();
    follow_own_mask();
  }
}

void undo_runtime_s_mask() {
  const Thread& thread = t_thread;
  MaskBuffer now;
  if (binding::masks_are_recorded() || !binding::read_self(now)) {
    return;
  }
  const bool is_bound = thread.bound.bits != nullptr;
  if (is_owner() && is_meant(now.view(), thread)) {
    divide_anew();
  } else if (is_bound && !mask::is_same(now.view(), thread.bound)) {
    binding::rebind_self();
  } else if (!is_bound && sign_of(now.view()) == thread.unmeant) {
    binding::widen_kernel_mask();
  }
}

}  // namespace nestbind::placement
