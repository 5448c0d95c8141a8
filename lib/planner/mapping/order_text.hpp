// SPDX-License-Identifier: BSD-3-Clause
// Orders as files: `nestbind map` writes them, and NESTBIND_ORDER names one.
//
//   # a comment
//   team: 0 2 1 3
//   team 0.3: 0 3 1 2
//
// The first team is the initial thread's team. Its member 1 takes the position of member 2. Thread
// 0.3 forks the second team.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mapping/text_lines.hpp"
#include "plan/team_plan.hpp"

namespace nestbind::mapping {

// The largest size of a file, in bytes.
inline constexpr std::size_t kLargestOrder = std::size_t{16} << 20;

// In an order each team appears once, its primary thread keeps its position, and no two members
// have the same position. If the text is not an order, returns false, sets `fault`, and leaves
// `order` unchanged.
bool parse_order(std::string_view text, plan::Order& order, Fault& fault);

std::string print_order(const plan::Order& order, const std::vector<std::string>& comments);

// Returns a message about the first team that does not fit the specification. The message is empty
// if a plan can use all teams. plan: has this order.
std::string unused_in(const plan::Order& order, plan::Plan& plan);

}  // namespace nestbind::mapping
