// SPDX-License-Identifier: BSD-3-Clause
#include "balance/lists.hpp"

#include <algorithm>

namespace nestbind::balance {

int Lists::stealable_begin(int thread, int stealable) const {
  const std::int64_t blocks = end(thread) - begin(thread);
  return std::min(end(thread) - static_cast<int>(blocks * stealable / kWhole),
                  stealable_end(thread));
}

Lists make_lists(const int* owner, int count, int threads, int* first, int* block) {
  std::fill(first, first + threads + 1, 0);
  for (int i = 0; i < count; ++i) {
    ++first[owner[i] + 1];
  }
  for (int thread = 0; thread < threads; ++thread) {
    first[thread + 1] += first[thread];
  }
  // Each entry of `first` moves from the end of a list to its start.
  for (int i = count; i-- > 0;) {
    block[--first[owner[i] + 1]] = i;
  }
  // Now entry t + 1 has the beginning of list t.
  for (int thread = 0; thread < threads; ++thread) {
    first[thread] = first[thread + 1];
  }
  first[threads] = count;
  return {threads, first, block};
}

int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least) {
  int behind = from + 1;
  Ticks joined = time == nullptr ? 0 : time[lists.block[from]];
  bool is_known = joined > 0;
  while (is_known && behind < end && joined < least &&
         lists.block[behind] == lists.block[behind - 1] + 1) {
    const Ticks more = time[lists.block[behind]];
    is_known = more > 0 && joined + more <= 2 * least;
    joined += more;
    behind += is_known ? 1 : 0;
  }
  return behind;
}

}  // namespace nestbind::balance
