// SPDX-License-Identifier: BSD-3-Clause
// The command's own processors.
#pragma once

#include <optional>
#include <vector>

namespace nestbind::cli {

// The processors that this process may use, ascending; none if the kernel does not tell.
std::optional<std::vector<int>> own_processors();

}  // namespace nestbind::cli
