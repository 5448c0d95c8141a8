// SPDX-License-Identifier: BSD-3-Clause
// Orders as files: `nestbind map` writes them, and NESTBIND_ORDER names one. Also says whether an
// order fits a plan. Reads no file.
//
//   # a comment
//   team: 0 2 1 3         the initial thread's team: member 1 takes the position of member 2
//   team 0.3: 0 3 1 2     the team of the thread 0.3
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mapping/text_lines.hpp"
#include "plan/team_plan.hpp"

namespace nestbind::mapping {

// The largest file in bytes. Larger files are rejected.
inline constexpr std::size_t kLargestOrder = std::size_t{16} << 20;

// Reads `text` into `order`. In an order each team appears once, its primary thread keeps its
// position, and no two members have the same position. If the text is not an order, returns false,
// sets `fault`, and leaves `order` unchanged.
bool parse_order(std::string_view text, plan::Order& order, Fault& fault);

// Returns the comments, a line for each, and then the order. parse_order() can read this text.
std::string print_order(const plan::Order& order, const std::vector<std::string>& comments);

// Returns a message about an order's first team that the specification does not have, or has with
// another size. The message is empty if a plan can use all teams. plan: has this order.
std::string unused_in(const plan::Order& order, plan::Plan& plan);

}  // namespace nestbind::mapping
