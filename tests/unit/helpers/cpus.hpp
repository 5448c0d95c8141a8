// SPDX-License-Identifier: BSD-3-Clause
// Processors as texts, such as "0 4".
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "mask/cpu_mask.hpp"
#include "placement/questions.hpp"

namespace cpus {

using nestbind::mask::CpuMask;
using nestbind::mask::MaskBuffer;

inline std::string text(const CpuMask& mask) {
  std::string all;
  nestbind::mask::each(mask,
                       [&](int cpu) { all += (all.empty() ? "" : " ") + std::to_string(cpu); });
  return all;
}

inline std::vector<int> list(const CpuMask& mask) {
  std::vector<int> all;
  nestbind::mask::each(mask, [&](int cpu) { all.push_back(cpu); });
  return all;
}

inline MaskBuffer of(const std::vector<int>& numbers) {
  MaskBuffer buffer{};
  for (const int cpu : numbers) {
    nestbind::mask::add(buffer.bits, cpu);
  }
  return buffer;
}

inline MaskBuffer kernel() {
  MaskBuffer buffer{};
  syscall(SYS_sched_getaffinity, 0, sizeof buffer, buffer.bits);
  return buffer;
}

inline std::string in_kernel() { return text(kernel().view()); }

inline bool set_in_kernel(const CpuMask& mask) {
  return syscall(SYS_sched_setaffinity, 0, mask.bytes, mask.bits) == 0;
}

// Asks nestbind_get_cpus.
inline std::string told() {
  std::vector<int> numbers(nestbind::mask::kMaxCpus);
  const int count = nestbind::placement::get_cpus(numbers.data(), static_cast<int>(numbers.size()));
  return count < 0 ? "?" : text(of({numbers.begin(), numbers.begin() + count}).view());
}

}  // namespace cpus
