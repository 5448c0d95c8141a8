// SPDX-License-Identifier: BSD-3-Clause
// Sets of processors as users write them. Needs libstdc++, so libnestbind.so cannot use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mask/cpu_mask.hpp"

namespace nestbind::mask {

// The highest number in a list. It exceeds kMaxCpus, because machines from files may be larger.
inline constexpr int kMaxListed = 1 << 20;

// Reads a list like those of taskset and cpuset: "0-3,8,16-31:2". Returns nothing if the text is
// not a list, or if a number is above kMaxListed.
std::optional<std::vector<int>> parse_list(const std::string& text);

// Writes numbers as a list without strides: "0-3,8". Without numbers the text is "-".
std::string list(std::vector<int> numbers);

std::vector<int> cpus_in(const CpuMask& mask);

}  // namespace nestbind::mask
