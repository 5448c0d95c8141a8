/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranges.h"

#include <string.h>

/* The ranges, sorted by `begin`. They neither overlap nor touch each other. */
static struct {
  uint64_t begin;
  uint64_t last;
} ranges[kMaxRanges];
static unsigned count;

static unsigned beginning_at_most(uint64_t address) {
  unsigned low = 0;
  unsigned high = count;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (ranges[middle].begin <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool ranges_contain(uint64_t address) {
  const unsigned after = beginning_at_most(address);
  return after > 0 && address <= ranges[after - 1].last;
}

bool ranges_add(uint64_t begin, uint64_t last) {
  unsigned at = beginning_at_most(begin);
  if (at > 0 && ranges[at - 1].last + 1 >= begin) {
    at--;
    begin = ranges[at].begin;
    if (last < ranges[at].last) {
      last = ranges[at].last;
    }
  } else {
    if (count == kMaxRanges) {
      return false;
    }
    memmove(&ranges[at + 1], &ranges[at], (count - at) * sizeof ranges[0]);
    count++;
  }
  ranges[at].begin = begin;
  ranges[at].last = last;
  unsigned end = at + 1;
  while (end < count && ranges[end].begin <= last + 1) {
    if (ranges[at].last < ranges[end].last) {
      ranges[at].last = ranges[end].last;
    }
    last = ranges[at].last;
    end++;
  }
  memmove(&ranges[at + 1], &ranges[end], (count - end) * sizeof ranges[0]);
  count -= end - (at + 1);
  return true;
}

void ranges_clear(void) { count = 0; }
