// SPDX-License-Identifier: BSD-3-Clause
// Sets of processors in the user's notation. Not for libnestbind.so: this needs libstdc++.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mask/cpu_mask.hpp"

namespace nestbind::mask {

// The highest number in a list. Greater than kMaxCpus: a machine from a file may be larger than
// this kernel allows.
inline constexpr int kMaxListed = 1 << 20;

// Reads a list like those of taskset and cpuset: "0-3,8,16-31:2". The result is ascending, without
// duplicates. None if the text is no such list, or has a number above kMaxListed.
std::optional<std::vector<int>> parse_list(const std::string& text);

// Writes numbers in the same form, without strides ("0-3,8"); "-" for none.
std::string list(std::vector<int> numbers);

// The processors in a mask, ascending.
std::vector<int> cpus_in(const CpuMask& mask);

}  // namespace nestbind::mask
