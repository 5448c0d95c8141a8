// SPDX-License-Identifier: BSD-3-Clause
// The functions of a parallel region that need more than a call of the next library. When a thread
// enters a region, we call libnestbind first. When a thread leaves a region, we call the next
// library first.
#include <nestbind/region.h>
#include <stdint.h>

#include "instrument/pomp-library/next.hpp"
#include "instrument/pomp-library/opari2/pomp2_regions.hpp"
#include "instrument/pomp-library/open_regions.hpp"
#include "instrument/pomp/hooks.hpp"

#pragma weak nestbind_pomp_fork
#pragma weak nestbind_pomp_begin
#pragma weak nestbind_pomp_end
#pragma weak nestbind_pomp_cancelled
#pragma weak nestbind_pomp_sizes

// With `opari2 --omp-tpd`, programs copy these variables to the members (copyin). The second
// variable is for Fortran, where it is an aligned common block.
extern "C" {
int omp_get_max_threads();
// NOLINTBEGIN(readability-identifier-naming): the tool's names
__attribute__((visibility("default"), aligned(16))) constinit thread_local int64_t pomp_tpd = 0;
__attribute__((visibility("default"), aligned(16))) constinit thread_local int64_t pomp_tpd_ = 0;
// NOLINTEND(readability-identifier-naming)
}

namespace nestbind::opari2 {

namespace {

using pomp::hand_on;
using pomp::kNoWord;
using pomp::Name;

const void* key_of(void** handle) { return static_cast<const void*>(handle); }

struct Open {
  const void* key;
  int64_t word;
};

// depth: how many regions the thread was in when it forked.
struct Fork {
  const void* key;
  int64_t word;
  int depth;
};

constinit thread_local pomp_library::OpenRegions<Open> t_regions{};
constinit thread_local pomp_library::OpenRegions<Fork> t_forks{};

// If another POMP2 library uses the word, members find their team by ancestors, not by the word.
template <Name kFork, Name kBegin, typename... More>
void fork(int64_t& carried, void** handle, const char* ctc, More... arguments) {
  note_region(key_of(handle), ctc);
  const int64_t word = nestbind_pomp_fork != nullptr ? nestbind_pomp_fork() : kNoWord;
  t_forks.enter({key_of(handle), word, t_regions.depth});
  if (!hand_on<kFork>(handle, arguments...) &&
      pomp::next_function<kBegin, void(void**)>() == nullptr) {
    carried = word;
  }
}

template <Name kBegin>
void begin(int64_t& carried, void** handle) {
  int64_t word = kNoWord;
  const bool is_last = pomp::next_function<kBegin, void(void**)>() == nullptr;
  if (is_last) {
    word = carried;
    // A later begin without --omp-tpd must not find the old word.
    carried = kNoWord;
  }
  t_regions.enter({key_of(handle), word});
  if (nestbind_pomp_begin != nullptr) {
    nestbind_pomp_begin(word);
  }
  hand_on<kBegin>(handle);
}

template <Name kEnd>
void end(void** handle) {
  hand_on<kEnd>(handle);
  const Open open = t_regions.leave(key_of(handle));
  if (nestbind_pomp_end != nullptr) {
    nestbind_pomp_end(open.word);
  }
}

// A cancelled region has no end. The encountering thread then returns to the region of the fork.
void join(void** handle) {
  const Fork fork = t_forks.leave(key_of(handle));
  if (fork.key != nullptr && t_regions.depth > fork.depth) {
    t_regions.depth = fork.depth;
    if (nestbind_pomp_cancelled != nullptr) {
      nestbind_pomp_cancelled(fork.word);
    }
  }
}

template <Name kName>
int max_threads() {
  if (nestbind_pomp_sizes != nullptr) {
    nestbind_pomp_sizes();
  }
  auto* next = pomp::next_function<kName, int()>();
  return next != nullptr ? next() : omp_get_max_threads();
}

}  // namespace

}  // namespace nestbind::opari2

using namespace nestbind::opari2;
using namespace nestbind::pomp;

NESTBIND_INTERPOSE void POMP2_Parallel_fork(void** handle, int condition, int threads,
                                            int64_t* old_task, const char* ctc) {
  *old_task = 0;
  fork<"POMP2_Parallel_fork", "POMP2_Parallel_begin">(pomp_tpd, handle, ctc, condition, threads,
                                                      old_task, ctc);
}

NESTBIND_INTERPOSE void POMP2_Parallel_begin(void** handle) {
  begin<"POMP2_Parallel_begin">(pomp_tpd, handle);
}

NESTBIND_INTERPOSE void POMP2_Parallel_end(void** handle) { end<"POMP2_Parallel_end">(handle); }

NESTBIND_INTERPOSE void POMP2_Parallel_join(void** handle, int64_t old_task) {
  join(handle);
  hand_on<"POMP2_Parallel_join">(handle, old_task);
}

NESTBIND_INTERPOSE void POMP2_Assign_handle(void** handle, const char* ctc) {
  note_region(key_of(handle), ctc);
  hand_on<"POMP2_Assign_handle">(handle, ctc);
}

NESTBIND_INTERPOSE void pomp2_parallel_fork_(void** handle, int* condition, int* threads,
                                             int64_t* old_task, const char* ctc, size_t length) {
  *old_task = 0;
  fork<"pomp2_parallel_fork_", "pomp2_parallel_begin_">(pomp_tpd_, handle, ctc, condition, threads,
                                                        old_task, ctc, length);
}

NESTBIND_INTERPOSE void pomp2_parallel_begin_(void** handle) {
  begin<"pomp2_parallel_begin_">(pomp_tpd_, handle);
}

NESTBIND_INTERPOSE void pomp2_parallel_end_(void** handle) { end<"pomp2_parallel_end_">(handle); }

NESTBIND_INTERPOSE void pomp2_parallel_join_(void** handle, int64_t* old_task) {
  join(handle);
  hand_on<"pomp2_parallel_join_">(handle, old_task);
}

NESTBIND_INTERPOSE void pomp2_assign_handle_(void** handle, const char* ctc, size_t length) {
  note_region(key_of(handle), ctc);
  hand_on<"pomp2_assign_handle_">(handle, ctc, length);
}

// These functions replace --omp-tpd, so that a region needs no threadprivate variable. After the
// fork function, generated code reads the word of the calling thread. Each member sets this word
// before the member calls the begin function.
NESTBIND_INTERPOSE int64_t nestbind_carried() { return pomp_tpd; }

NESTBIND_INTERPOSE void nestbind_carry(int64_t word) { pomp_tpd = word; }

NESTBIND_INTERPOSE void nestbind_carried_(int64_t* word) { *word = pomp_tpd_; }

NESTBIND_INTERPOSE void nestbind_carry_(const int64_t* word) { pomp_tpd_ = *word; }

NESTBIND_INTERPOSE int nestbind_get_region(nestbind_region* region) {
  if (region == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const Open* open = t_regions.innermost();
  const nestbind_region* found = open == nullptr ? nullptr : region_of(open->key);
  if (found == nullptr) {
    auto* next = nestbind::pomp::next_function<"nestbind_get_region", int(nestbind_region*)>();
    return next != nullptr ? next(region) : NESTBIND_NOT_PLACED;
  }
  *region = *found;
  return NESTBIND_OK;
}

NESTBIND_INTERPOSE int POMP2_Lib_get_max_threads() {
  return max_threads<"POMP2_Lib_get_max_threads">();
}

NESTBIND_INTERPOSE int pomp2_lib_get_max_threads_() {
  return max_threads<"pomp2_lib_get_max_threads_">();
}

NESTBIND_INTERPOSE int64_t POMP2_Get_new_task_handle() {
  if (auto* next = next_function<"POMP2_Get_new_task_handle", int64_t()>()) {
    return next();
  }
  static constinit std::atomic<int64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}
