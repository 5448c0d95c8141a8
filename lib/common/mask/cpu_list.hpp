// SPDX-License-Identifier: BSD-3-Clause
// Sets of processors as users write them. Not for libnestbind.so: this needs libstdc++.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mask/cpu_mask.hpp"

namespace nestbind::mask {

// The highest number in a list. Above kMaxCpus: machines of files are larger than this one's kernel
// could be.
inline constexpr int kMaxListed = 1 << 20;

// Reads a list as of taskset and cpuset: "0-3,8,16-31:2". Ascending, each once. None if the text is
// no such list, or names a processor beyond kMaxListed.
std::optional<std::vector<int>> parse_list(const std::string& text);

// Writes numbers in the same form, without strides ("0-3,8"); "-" for none.
std::string list(std::vector<int> numbers);

// The processors in a mask, ascending.
std::vector<int> cpus_in(const CpuMask& mask);

}  // namespace nestbind::mask
