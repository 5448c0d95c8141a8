// SPDX-License-Identifier: BSD-3-Clause
// Orders as files: what `nestbind map` writes, and NESTBIND_ORDER names; and whether one is for a
// plan. Pure text.
//
//     # a comment
//     team: 0 2 1 3         the team of the initial thread: its member 1 takes the position of
//     member 2 team 0.3: 0 3 1 2     the team of the thread 0.3
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mapping/text_lines.hpp"
#include "plan/team_plan.hpp"

namespace nestbind::mapping {

// A larger file is none.
inline constexpr std::size_t kLargestOrder = std::size_t{16} << 20;

// Reads `text` into `order`. Returns false, with `fault` filled and `order` untouched, where it is
// no order: each team is there once, its primary thread keeps its position, and no position is
// taken twice.
bool parse_order(std::string_view text, plan::Order& order, Fault& fault);

// The text of an order, with some lines of comment before it. parse_order() reads it back.
std::string print_order(const plan::Order& order, const std::vector<std::string>& comments);

// What of an order a plan has no use for, in words: the first of its teams that has another size by
// the specification, or that there is not. Empty where all is of use. plan: in this order.
std::string unused_in(const plan::Order& order, plan::Plan& plan);

}  // namespace nestbind::mapping
