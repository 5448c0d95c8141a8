// SPDX-License-Identifier: BSD-3-Clause
// Sets of processors in the layout of the kernel's affinity calls. Nothing here allocates memory.
#pragma once

#include <string.h>

#include <cstddef>

namespace nestbind::mask {

inline constexpr int kWordBits = 8 * sizeof(unsigned long);
inline constexpr int kMaxCpus = 8192;

// A set of processors, empty or unknown if `bits` is null. The bits must stay at their address.
struct CpuMask {
  std::size_t bytes;  // a multiple of sizeof(unsigned long)
  const unsigned long* bits;
};

struct MaskBuffer {
  unsigned long bits[kMaxCpus / kWordBits];
  CpuMask view() const { return {sizeof bits, bits}; }
};

inline bool has(const unsigned long* bits, int cpu) {
  return (bits[cpu / kWordBits] >> (cpu % kWordBits) & 1UL) != 0;
}

inline bool has(const CpuMask& mask, int cpu) {
  return static_cast<std::size_t>(cpu) < 8 * mask.bytes && has(mask.bits, cpu);
}

inline void add(unsigned long* bits, int cpu) { bits[cpu / kWordBits] |= 1UL << (cpu % kWordBits); }

inline void remove(unsigned long* bits, int cpu) {
  bits[cpu / kWordBits] &= ~(1UL << (cpu % kWordBits));
}

template <typename Visit>
void each(const CpuMask& mask, Visit visit) {
  for (int word = 0; word < static_cast<int>(mask.bytes / sizeof(unsigned long)); ++word) {
    for (unsigned long left = mask.bits[word]; left != 0; left &= left - 1) {
      visit(word * kWordBits + __builtin_ctzl(left));
    }
  }
}

template <typename Visit>
void each_range(const CpuMask& mask, Visit visit) {
  each(mask, [&](int cpu) {
    if (cpu == 0 || !has(mask, cpu - 1)) {
      int last = cpu;
      while (has(mask, last + 1)) {
        ++last;
      }
      visit(cpu, last);
    }
  });
}

inline int count(const CpuMask& mask) {
  int cpus = 0;
  each(mask, [&](int) { ++cpus; });
  return cpus;
}

// The masks' lengths may differ.
inline bool is_same(const CpuMask& a, const CpuMask& b) {
  const CpuMask& longer = a.bytes < b.bytes ? b : a;
  const CpuMask& shorter = a.bytes < b.bytes ? a : b;
  const std::size_t common = shorter.bytes / sizeof(unsigned long);
  for (std::size_t word = 0; word < longer.bytes / sizeof(unsigned long); ++word) {
    if (longer.bits[word] != (word < common ? shorter.bits[word] : 0)) {
      return false;
    }
  }
  return true;
}

// Fills the buffer `to`, as sched_getaffinity does. If the mask is empty, or the buffer is too
// short, writes nothing and returns false.
inline bool write_as_kernel(const CpuMask& mask, void* to, std::size_t bytes) {
  const auto* from = reinterpret_cast<const unsigned char*>(mask.bits);
  std::size_t used = mask.bytes;
  while (used > 0 && from[used - 1] == 0) {
    --used;
  }
  if (used == 0 || bytes < used) {
    return false;
  }
  memcpy(to, from, used);
  memset(static_cast<unsigned char*>(to) + used, 0, bytes - used);
  return true;
}

}  // namespace nestbind::mask
