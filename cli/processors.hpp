// SPDX-License-Identifier: BSD-3-Clause
// Sets of processors: the command's own, and as a user writes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// The processors that this process may use, ascending; none if the kernel does not tell.
std::optional<std::vector<int>> own_processors();

// Reads a list as of taskset and cpuset: "0-3,8,16-31:2". Ascending, each once. None if the text is
// no such list, or names a processor beyond kMaxProcessor.
inline constexpr int kMaxProcessor = 1 << 20;
std::optional<std::vector<int>> parse_processors(const std::string& text);

// Writes numbers in the same form, without strides ("0-3,8"); "-" for none.
std::string ranges(std::vector<int> numbers);

}  // namespace nestbind::cli
