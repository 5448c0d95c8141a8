// SPDX-License-Identifier: BSD-3-Clause
// Lists of hosts as Slurm writes them: "node[01-64,70],login".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/network.hpp"

namespace nestbind::network {

// The largest number of hosts in a list.
inline constexpr int kMostHosts = 1 << 20;

// Hosts may appear several times. `fault` has its position in `list`, and line 1.
std::optional<std::vector<std::string>> parse_hosts(std::string_view list, Fault& fault);

}  // namespace nestbind::network
