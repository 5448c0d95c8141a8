// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtime_affinity.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/module.hpp"
#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "support/allocate.hpp"
#include "support/decimal.hpp"

namespace nestbind::omp {

constinit std::atomic<bool> g_lines_taken{false};
constinit bool g_gnu_displays = false;
constinit bool g_llvm_displays = false;

namespace {

using GetThreadNum = int (*)();

struct Known {
  std::atomic<GetThreadNum> runtime;
  process::Once once;
  AffinityCalls calls;
  std::atomic<bool> lines_taken;
};
constinit Known g_known[8]{};

// LLVM's runtime has some functions twice, for C and for Fortran. dlsym by the OpenMP name returns
// the Fortran function. The C function also has a name with "ompc_".
void* look_for_c(void* library, const char* llvm_name, const char* name) {
  void* found = dlsym(library, llvm_name);
  return found == nullptr ? dlsym(library, name) : found;
}

void find(const Calls& runtime, AffinityCalls& calls) {
  // The handle is never closed, so that the functions stay loaded.
  void* library = interpose::open_module(reinterpret_cast<const void*>(runtime.get_thread_num));
  if (library == nullptr) {
    return;
  }
  const auto take = [&]<typename Function>(Function*& function, void* found) {
    function = reinterpret_cast<Function*>(found);
  };
  take(calls.get_format,
       look_for_c(library, "ompc_get_affinity_format", "omp_get_affinity_format"));
  take(calls.capture, look_for_c(library, "ompc_capture_affinity", "omp_capture_affinity"));
  take(calls.display, look_for_c(library, "ompc_display_affinity", "omp_display_affinity"));
  take(calls.get_num_places, dlsym(library, "omp_get_num_places"));
  take(calls.get_place_num_procs, dlsym(library, "omp_get_place_num_procs"));
  take(calls.get_place_proc_ids, dlsym(library, "omp_get_place_proc_ids"));
  take(calls.get_place_num, dlsym(library, "omp_get_place_num"));
  take(calls.get_partition_num_places, dlsym(library, "omp_get_partition_num_places"));
  take(calls.get_partition_place_nums, dlsym(library, "omp_get_partition_place_nums"));
  calls.is_llvm = dlsym(library, "__kmpc_fork_call") != nullptr;
}

Known* known_affinity(const Calls& runtime) {
  for (Known& one : g_known) {
    GetThreadNum present = nullptr;
    if (one.runtime.compare_exchange_strong(present, runtime.get_thread_num) ||
        present == runtime.get_thread_num) {
      return &one;
    }
  }
  return nullptr;
}

// The syntax of a field: %[[[0].]size]type
struct Field {
  int length;
  bool is_affinity;
  bool is_right;
  int size;  // the minimal width, or 0 for the width of the value
};

// Returns only the percent sign if the field is not about affinity.
Field read_field(const char* percent) {
  if (percent[1] == '%') {
    return {2, false, false, 0};
  }
  constexpr Field kOther{1, false, false, 0};
  constexpr int kMost = 999999;
  const char* at = percent + 1;
  const bool has_zero = *at == '0';
  at += has_zero ? 1 : 0;
  const bool has_dot = *at == '.';
  at += has_dot ? 1 : 0;
  const char* const digits = at;
  const auto size = static_cast<int>(support::take_decimal(at, nullptr, kMost));
  if ((has_zero && !has_dot) || (has_dot && size == 0) || *digits == '0' || size > kMost) {
    return kOther;
  }
  constexpr char kLong[] = "{thread_affinity}";
  constexpr int kLongLength = sizeof kLong - 1;
  const int name = *at == 'A' ? 1 : strncmp(at, kLong, kLongLength) == 0 ? kLongLength : 0;
  return name == 0 ? kOther : Field{static_cast<int>(at - percent) + name, true, has_dot, size};
}

void add_list(const mask::CpuMask& cpus, bool pairs_are_ranges, support::TextBuffer& list) {
  const char* comma = "";
  mask::each_range(cpus, [&](int first, int last) {
    if (first == last) {
      list.add("%s%d", comma, first);
    } else if (last == first + 1 && !pairs_are_ranges) {
      list.add("%s%d,%d", comma, first, last);
    } else {
      list.add("%s%d-%d", comma, first, last);
    }
    comma = ",";
  });
}

int places_of(const AffinityCalls& calls) {
  return calls.get_num_places == nullptr || calls.get_place_num_procs == nullptr ||
                 calls.get_place_proc_ids == nullptr
             ? 0
             : calls.get_num_places();
}

void add_place(const AffinityCalls& calls, int place, mask::MaskBuffer& cpus) {
  const int count = calls.get_place_num_procs(place);
  if (int* const processors = support::allocate<int>(static_cast<std::size_t>(count))) {
    calls.get_place_proc_ids(place, processors);
    for (int i = 0; i < count; ++i) {
      mask::add(cpus.bits, processors[i]);
    }
    free(processors);
  }
}

}  // namespace

const AffinityCalls& affinity_calls(const Calls& runtime) {
  static constinit const AffinityCalls none{};
  Known* one = known_affinity(runtime);
  if (one == nullptr) {
    return none;
  }
  one->once.run([&] { find(runtime, one->calls); });
  return one->calls;
}

void note_display() {
  const options::Display display = options::settings().display;
  g_gnu_displays = display == options::Display::kAlways;
  g_llvm_displays = display != options::Display::kNever;
}

void take_lines(const Calls& runtime) {
  affinity_calls(runtime);  // asks the loader now, because later calls must not ask it
  if (Known* one = known_affinity(runtime)) {
    one->lines_taken.store(true, std::memory_order_release);
    g_lines_taken.store(true, std::memory_order_release);
  }
}

bool lines_are_taken(const Calls& runtime) {
  const Known* one = some_lines_are_taken() ? known_affinity(runtime) : nullptr;
  return one != nullptr && one->lines_taken.load(std::memory_order_acquire);
}

void tell_false_lines() {
  static constinit std::atomic<bool> told{false};
  process::warn_once(told,
                     "the lines of OMP_DISPLAY_AFFINITY are printed before threads are bound, so "
                     "they do not show the binding; NESTBIND_REPORT does");
}

void add_format(const char* format, const mask::CpuMask& cpus, bool pairs_are_ranges,
                support::TextBuffer& text) {
  support::TextBuffer list;
  add_list(cpus, pairs_are_ranges, list);
  while (*format != '\0') {
    const auto plain = static_cast<int>(strcspn(format, "%"));
    text.add("%.*s", plain, format);
    format += plain;
    if (*format == '\0') {
      return;
    }
    const Field field = read_field(format);
    if (!field.is_affinity) {
      text.add("%.*s", field.length, format);
    } else if (field.is_right) {
      text.add("%*s", field.size, list.text());
    } else {
      text.add("%-*s", field.size, list.text());
    }
    format += field.length;
  }
}

bool add_format(const Calls& runtime, const char* format, const mask::CpuMask& cpus,
                support::TextBuffer& text) {
  const AffinityCalls& calls = affinity_calls(runtime);
  char* own = nullptr;
  if (format == nullptr || format[0] == '\0') {
    const std::size_t size = calls.get_format == nullptr ? 0 : calls.get_format(nullptr, 0) + 1;
    own = size == 0 ? nullptr : support::allocate<char>(size);
    if (own == nullptr) {
      return false;
    }
    calls.get_format(own, size);
  }
  add_format(own != nullptr ? own : format, cpus, !calls.is_llvm, text);
  free(own);
  return true;
}

void add_places(const Calls& runtime, mask::MaskBuffer& cpus) {
  const AffinityCalls& calls = affinity_calls(runtime);
  for (int place = places_of(calls) - 1; place >= 0; --place) {
    add_place(calls, place, cpus);
  }
}

int place_of(const Calls& runtime, const mask::CpuMask& mask) {
  const AffinityCalls& calls = affinity_calls(runtime);
  const int places = places_of(calls);
  for (int place = 0; place < places; ++place) {
    mask::MaskBuffer cpus{};
    add_place(calls, place, cpus);
    bool has_all = true;
    mask::each(mask, [&](int cpu) { has_all = has_all && mask::has(cpus.view(), cpu); });
    if (has_all) {
      return place;
    }
  }
  return -1;
}

}  // namespace nestbind::omp
