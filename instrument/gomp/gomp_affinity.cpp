// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls that ask for a thread's processors and place. A runtime would answer with its own
// choice or with the process's mask. We pass the real place, and the runtime formats the other
// fields.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/gomp/gomp_runtime.hpp"
#include "interpose/next_function.hpp"
#include "omp/runtime_affinity.hpp"
#include "placement/seen_places.hpp"
#include "process/armed.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"

using namespace nestbind;
using namespace nestbind::gomp;

namespace {

template <typename Result, typename Ask>
Result ask_runtime(const void* caller, Result none, Ask ask) {
  const support::ErrnoKept errno_kept;
  const Runtime* runtime = runtime_of(caller);
  return runtime == nullptr ? none : ask(runtime->calls, omp::affinity_calls(runtime->calls));
}

// LLVM's runtime binds the thread in its first call, if the user wants this.
void begin_runtime(const omp::AffinityCalls& calls) {
  if (calls.get_place_num != nullptr) {
    calls.get_place_num();
  }
}

bool write_format(const omp::Calls& runtime, const omp::AffinityCalls& calls, const char* format,
                  support::TextBuffer& text) {
  if (!process::armed()) {
    return false;
  }
  begin_runtime(calls);
  return placement::affinity_format(runtime, format, text);
}

std::size_t capture(char* buffer, std::size_t size, const char* format, const void* caller) {
  return ask_runtime<std::size_t>(caller, 0, [&](const auto& runtime, const auto& calls) {
    support::TextBuffer text;
    const bool is_ours = write_format(runtime, calls, format, text);
    return calls.capture == nullptr ? 0
                                    : calls.capture(buffer, size, is_ours ? text.text() : format);
  });
}

void display(const char* format, const void* caller) {
  ask_runtime(caller, false, [&](const auto& runtime, const auto& calls) {
    support::TextBuffer text;
    const bool is_ours = write_format(runtime, calls, format, text);
    if (calls.display != nullptr) {
      calls.display(is_ours ? text.text() : format);
    }
    return true;
  });
}

int place_num(const void* caller) {
  return ask_runtime(caller, -1, [](const auto& runtime, const auto& calls) {
    if (process::armed()) {
      return placement::affinity_place(runtime);
    }
    return calls.get_place_num == nullptr ? -1 : calls.get_place_num();
  });
}

bool is_alone_known() { return process::armed() && placement::is_bound_member(); }

template <typename Take>
int each_place(const void* caller, Take take) {
  return ask_runtime(caller, 0, [&](const auto& runtime, const auto& calls) {
    if (is_alone_known()) {
      const int place = placement::affinity_place(runtime);
      if (place >= 0) {
        take(place);
      }
      return place < 0 ? 0 : 1;
    }
    if (calls.get_partition_num_places == nullptr || calls.get_partition_place_nums == nullptr) {
      return 0;
    }
    const int count = calls.get_partition_num_places();
    int* places = count > 0 ? support::allocate<int>(static_cast<std::size_t>(count)) : nullptr;
    if (places != nullptr) {
      calls.get_partition_place_nums(places);
      for (int i = 0; i < count; ++i) {
        take(places[i]);
      }
      free(places);
    }
    return count;
  });
}

template <typename Integer>
void write_places(Integer* places, const void* caller) {
  each_place(caller, [&](int place) { *places++ = place; });
}

// A Fortran text, which has a length and no final nul.
class FromFortran {
 public:
  FromFortran(const char* text, std::size_t length) {
    copy_.add("%.*s", static_cast<int>(length), length == 0 ? "" : text);
  }
  const char* text() const { return copy_.text(); }

 private:
  support::TextBuffer copy_;
};

}  // namespace

NESTBIND_INTERPOSE size_t omp_capture_affinity(char* buffer, size_t size, const char* format) {
  return capture(buffer, size, format, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void omp_display_affinity(const char* format) {
  display(format, __builtin_return_address(0));
}

// LLVM's omp.h declares these names.
NESTBIND_INTERPOSE size_t ompc_capture_affinity(char* buffer, size_t size, const char* format) {
  return capture(buffer, size, format, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void ompc_display_affinity(const char* format) {
  display(format, __builtin_return_address(0));
}

NESTBIND_INTERPOSE size_t omp_capture_affinity_(char* buffer, const char* format, size_t size,
                                                size_t length) {
  const FromFortran wanted(format, length);
  const void* const caller = __builtin_return_address(0);
  const std::size_t captured = capture(nullptr, 0, wanted.text(), caller);
  if (char* text = support::allocate<char>(captured + 1)) {
    capture(text, captured + 1, wanted.text(), caller);
    const std::size_t copied = captured < size ? captured : size;
    memcpy(buffer, text, copied);
    memset(buffer + copied, ' ', size - copied);
    free(text);
  }
  return captured;
}

NESTBIND_INTERPOSE void omp_display_affinity_(const char* format, size_t length) {
  display(FromFortran(format, length).text(), __builtin_return_address(0));
}

NESTBIND_INTERPOSE int omp_get_place_num() { return place_num(__builtin_return_address(0)); }
NESTBIND_INTERPOSE int32_t omp_get_place_num_() { return place_num(__builtin_return_address(0)); }

NESTBIND_INTERPOSE int omp_get_partition_num_places() {
  return each_place(__builtin_return_address(0), [](int) {});
}

NESTBIND_INTERPOSE int32_t omp_get_partition_num_places_() {
  return each_place(__builtin_return_address(0), [](int) {});
}

NESTBIND_INTERPOSE void omp_get_partition_place_nums(int* places) {
  write_places(places, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void omp_get_partition_place_nums_(int32_t* places) {
  write_places(places, __builtin_return_address(0));
}

NESTBIND_INTERPOSE void omp_get_partition_place_nums_8_(int64_t* places) {
  write_places(places, __builtin_return_address(0));
}
