// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/next_touch.hpp"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/touch_range.hpp"
#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

constexpr int kMostRanges = 64;
constexpr long kMostMappings = 50000;

// Written under the lock, read by the handler. A range that is over stays, for faults that come
// late, until its place is needed.
constinit std::array<std::atomic<TouchRange*>, kMostRanges> g_ranges{};
constinit std::atomic<int> g_inside{0};  // handlers that look at them
constinit std::atomic<long> g_mappings{0};
constinit std::mutex g_lock;
constinit bool g_is_set = false;
constinit struct sigaction g_before{};

bool is_overlapping(const Range& a, const Range& b) { return a.begin < b.end && b.begin < a.end; }

bool is_ours(std::uintptr_t address) {
  g_inside.fetch_add(1, std::memory_order_acq_rel);
  bool is_touched = false;
  for (const auto& entry : g_ranges) {
    TouchRange* const range = entry.load(std::memory_order_acquire);
    if (range != nullptr && range->has(address) && range->touch(address, own_node())) {
      is_touched = true;
      break;
    }
  }
  g_inside.fetch_sub(1, std::memory_order_acq_rel);
  return is_touched;
}

// The default action: the access is made once more, and ends the process as it would have.
void die_by_fault(int signal, const siginfo_t& info) {
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  if (info.si_code <= 0) {  // no fault, but sent by somebody
    support::kernel_answer(SYS_tgkill, support::kernel_answer(SYS_getpid, 0, 0, 0, 0, 0, 0),
                           support::kernel_answer(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
  }
}

void hand_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction before = g_before;
  if (before.sa_handler == SIG_IGN && info->si_code <= 0) {
    return;
  }
  if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    die_by_fault(signal, *info);
    return;
  }
  if ((before.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    g_before.sa_handler = SIG_DFL;
    g_before.sa_flags = 0;
  }
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else {
    before.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (info->si_code == SEGV_ACCERR && is_ours(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
    return;
  }
  hand_on(signal, info, context);
}

// On the stack for signals, where a thread has one, and with the signals held back that the handler
// before it wants held back.
bool set_handler() {
  struct sigaction present{};
  if (sigaction(SIGSEGV, nullptr, &present) != 0) {
    return false;
  }
  if (g_is_set) {
    return (present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_fault;
  }
  g_before = present;
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_mask = present.sa_mask;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (present.sa_flags & (SA_NODEFER | SA_RESTART));
  g_is_set = sigaction(SIGSEGV, &ours, nullptr) == 0;
  return g_is_set;
}

bool is_suitable(const std::vector<Mapping>& mappings) {
  return std::ranges::all_of(mappings, [](const Mapping& mapping) {
    return (mapping.protection & PROT_READ) != 0 && (mapping.protection & PROT_EXEC) == 0;
  });
}

bool is_whole(const std::vector<Mapping>& mappings, const Range& range) {
  std::uintptr_t at = range.begin;
  for (const Mapping& mapping : mappings) {
    if (mapping.range.begin != at) {
      return false;
    }
    at = mapping.range.end;
  }
  return at == range.end;
}

// The handler needs the stack.
bool has_stack(const std::vector<Mapping>& mappings, const Range& range) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return std::ranges::any_of(mappings, [&](const Mapping& mapping) {
    return here >= mapping.range.begin && here < mapping.range.end &&
           is_overlapping(mapping.range, range);
  });
}

// A free entry, or that of a range that is over. Null: there is none.
std::atomic<TouchRange*>* free_entry() {
  std::atomic<TouchRange*>* over = nullptr;
  for (auto& entry : g_ranges) {
    const TouchRange* const range = entry.load(std::memory_order_relaxed);
    if (range == nullptr) {
      return &entry;
    }
    over = over == nullptr && range->is_over() ? &entry : over;
  }
  return over;
}

// The one that was there goes, once no handler looks at it.
void put(std::atomic<TouchRange*>& entry, std::unique_ptr<TouchRange> range) {
  const std::unique_ptr<TouchRange> former(entry.exchange(range.release()));
  while (former != nullptr && g_inside.load(std::memory_order_acquire) != 0) {
    sched_yield();
  }
}

void end_overlapping(const Range& range) {
  for (const auto& entry : g_ranges) {
    TouchRange* const present = entry.load(std::memory_order_relaxed);
    if (present != nullptr && is_overlapping(present->range(), range)) {
      present->end();
    }
  }
}

// One that has the same pages is replaced; so that a range that is handed on again and again stays
// one.
std::atomic<TouchRange*>* entry_for(const Range& range) {
  for (auto& entry : g_ranges) {
    const TouchRange* const present = entry.load(std::memory_order_relaxed);
    if (present != nullptr && present->range().begin == range.begin &&
        present->range().end == range.end) {
      return &entry;
    }
  }
  return free_entry();
}

// Whether some of it is a file of huge pages.
bool is_of_huge_pages(const Range& range) {
  return std::ranges::any_of(read_huge_files(),
                             [&](const Range& file) { return is_overlapping(file, range); });
}

Touched arm(const Range& range, std::vector<Mapping> own, std::size_t all_mappings) {
  std::vector<int> nodes(range.pages(), kNoPage);
  if (find_nodes(range, nodes) != 0) {
    return Touched::kNotPermitted;
  }
  const long most = std::min(kMostMappings, static_cast<long>(most_mappings() / 4 * 3));
  g_mappings.store(static_cast<long>(all_mappings), std::memory_order_relaxed);
  auto* const entry = entry_for(range);
  if (entry == nullptr || static_cast<long>(all_mappings) + 2 >= most) {
    return Touched::kNoMemory;
  }
  auto made = std::make_unique<TouchRange>(range, std::move(own), nodes, read_huge());
  TouchRange& armed = *made;
  if (const int error = set_policy(range, Policy::kDefault, {}); error != 0) {
    return error == EINVAL ? Touched::kNotSuitable : Touched::kNotPermitted;
  }
  if (!set_handler()) {
    return Touched::kNotPermitted;
  }
  if (armed.is_over()) {
    return Touched::kOk;
  }
  put(*entry, std::move(made));
  const int error = armed.arm(g_mappings, most);
  return error == 0 ? Touched::kOk : error == EINVAL ? Touched::kNotSuitable : Touched::kNoMemory;
}

}  // namespace

namespace {

Touched let_touch(const Range& range) {
  const std::vector<Mapping> mappings = read_mappings();
  std::vector<Mapping> own = in_range(mappings, range);
  if (!is_whole(own, range)) {
    return Touched::kNotMapped;
  }
  if (!is_suitable(own) || has_stack(mappings, range)) {
    return Touched::kNotSuitable;
  }
  return arm(range, std::move(own), mappings.size());
}

}  // namespace

Touched let_next_touch(const Range& range) {
  const std::lock_guard lock(g_lock);
  end_overlapping(range);
  const Touched touched = let_touch(range);
  // A file of huge pages takes nothing for a part of one.
  const std::size_t huge = huge_bytes();
  const Range whole{(range.begin + huge - 1) / huge * huge, range.end / huge * huge};
  const bool is_other = whole.begin != range.begin || whole.end != range.end;
  return touched == Touched::kNotSuitable && is_other && whole.begin < whole.end &&
                 is_of_huge_pages(range)
             ? let_touch(whole)
             : touched;
}

void end_next_touch(const Range& range) {
  const std::lock_guard lock(g_lock);
  end_overlapping(range);
}

}  // namespace nestbind::memory::kernel
