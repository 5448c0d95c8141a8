// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtimes.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

#include <atomic>
#include <initializer_list>

#include "interpose/module.hpp"
#include "mask/cpu_mask.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "process/original_mask.hpp"
#include "support/decimal.hpp"

namespace nestbind::omp {

namespace {

constexpr int kMaxRuntimes = 8;

// Entries are filled in order and never removed. The end of the code is written last.
struct Started {
  std::atomic<const Calls*> calls;
  std::atomic<uintptr_t> code_begin;
  std::atomic<uintptr_t> code_end;
};
constinit Started g_started[kMaxRuntimes]{};

constinit StartListener* g_listeners = nullptr;

void tell_started(const Calls& runtime) {
  for (const StartListener* listener = g_listeners; listener != nullptr;
       listener = listener->next) {
    listener->started(runtime);
  }
}

// Does not use strtol: newer glibc headers replace strtol by a function that musl does not have.
int entry_of(const char* list, int number) {
  std::uint64_t found = 0;
  for (int i = 0; list != nullptr; ++i) {
    list += strspn(list, " \t");
    const std::uint64_t size = support::take_decimal(list, nullptr, INT_MAX);
    list += strspn(list, " \t");
    if (size == 0 || size > INT_MAX || (*list != ',' && *list != '\0')) {
      return 0;
    }
    found = i <= number ? size : found;
    list = *list == ',' ? list + 1 : nullptr;
  }
  return static_cast<int>(found);
}

int threads_by(const char* list, int level) {
  const int size = entry_of(list, level);
  return size > 0 ? size : mask::count(process::original_mask());
}

bool is_list(const char* value) { return value != nullptr && strchr(value, ',') != nullptr; }

const char* users(const char* name, options::UsersValue& room) {
  return options::users_value(name, room);
}

}  // namespace

void note_started(const Calls& runtime) {
  const auto range = interpose::module_range(reinterpret_cast<uintptr_t>(runtime.get_level));
  for (Started& started : g_started) {
    const Calls* none = nullptr;
    if (started.calls.compare_exchange_strong(none, &runtime) || none == &runtime) {
      const bool is_program = range.has(getauxval(AT_ENTRY));
      started.code_begin.store(range.begin, std::memory_order_relaxed);
      started.code_end.store(is_program ? 0 : range.end, std::memory_order_release);
      if (none == nullptr) {
        tell_started(runtime);
      }
      break;
    }
  }
}

void add(StartListener& listener) {
  listener.next = g_listeners;
  g_listeners = &listener;
  for (int i = 0; const Calls* runtime = started(i); ++i) {
    listener.started(*runtime);
  }
}

const Calls* started(int index) {
  return index < kMaxRuntimes ? g_started[index].calls.load(std::memory_order_acquire) : nullptr;
}

const Calls& known(const Calls& runtime) {
  for (int i = 0; const Calls* present = started(i); ++i) {
    if (present->get_thread_num == runtime.get_thread_num) {
      return *present;
    }
  }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): Calls records never move
  return runtime;
}

bool is_in_runtime(uintptr_t code) {
  for (int i = 0; started(i) != nullptr; ++i) {
    if (code < g_started[i].code_end.load(std::memory_order_acquire) &&
        code >= g_started[i].code_begin.load(std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

Sizes sizes_of(const Calls& runtime) {
  return {runtime.get_max_threads(), runtime.get_max_active_levels()};
}

void install_sizes(const Calls& runtime, int first, int levels) {
  if (first > 0) {
    runtime.set_num_threads(first);
  }
  if (levels > 0) {
    runtime.set_max_active_levels(levels);
  }
}

void install_usual_sizes(const Calls& runtime, int level) {
  if (options::settings().sizes) {
    runtime.set_num_threads(usual_threads(level));
    runtime.set_max_active_levels(usual_levels());
  }
}

void give_levels_back(const Calls& runtime, int levels) {
  if (options::settings().sizes && runtime.get_max_active_levels() == levels) {
    runtime.set_max_active_levels(usual_levels());
  }
}

int usual_threads(int level) {
  options::UsersValue room;
  return threads_by(users(options::kThreads, room), level);
}

int usual_levels() {
  options::UsersValue room;
  const char* set = users("OMP_MAX_ACTIVE_LEVELS", room);
  const int levels = entry_of(set, 0);
  if (levels > 0 || (set != nullptr && strcmp(set, "0") == 0)) {
    return levels;
  }
  const char* nested = users("OMP_NESTED", room);
  const bool is_nested = nested != nullptr ? strcasecmp(nested, "true") == 0
                                           : is_list(users(options::kThreads, room)) ||
                                                 is_list(options::variable("OMP_PROC_BIND"));
  return is_nested ? INT_MAX : 1;
}

Sizes first_sizes() {
  if (!options::sizes_are_said()) {
    return {usual_threads(0), usual_levels()};
  }
  const int levels = entry_of(options::variable("OMP_MAX_ACTIVE_LEVELS"), 0);
  return {threads_by(options::variable(options::kThreads), 0),
          levels > 0 ? levels : usual_levels()};
}

bool is_usual(int threads) {
  // The program may have set the variable before or after it loaded the runtime. The runtime may
  // have counted the processors before the process got another mask.
  options::UsersValue room;
  const bool is_counted = entry_of(users(options::kThreads, room), 0) == 0 &&
                          threads == mask::count(process::first_mask());
  return is_counted || threads == usual_threads(0) ||
         threads == threads_by(options::variable(options::kThreads), 0) ||
         threads == threads_by(options::settings().threads, 0);
}

bool is_in_file_of_runtime(const void* code, bool in_program) {
  const char* file = interpose::module_file(code);
  if (file == nullptr) {
    return false;
  }
  if (file[0] == '\0') {
    const void* function = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    return in_program && function != nullptr &&
           interpose::module_range(reinterpret_cast<uintptr_t>(function)).has(getauxval(AT_ENTRY));
  }
  for (const char* runtime : {"libgomp", "libomp", "libiomp"}) {
    if (strncmp(file, runtime, strlen(runtime)) == 0) {
      return true;
    }
  }
  return false;
}

// Usually the checks last a millisecond, as in libgomp. With OMP_WAIT_POLICY=passive they last
// about as long as the kernel needs to wake a thread.
Waiting usual_waiting() {
  constexpr unsigned kUsual = 20000;
  constexpr unsigned kPassive = 2500;
  const char* const set = getenv("OMP_WAIT_POLICY");
  const char* const policy = set == nullptr ? "" : set;
  const char* const spins = getenv("GOMP_SPINCOUNT");
  const bool is_zero = spins != nullptr && strcmp(spins, "0") == 0;
  return {.checks = is_zero                              ? 0
                    : strcasecmp(policy, "passive") == 0 ? kPassive
                                                         : kUsual,
          .is_active = strcasecmp(policy, "active") == 0};
}

}  // namespace nestbind::omp
