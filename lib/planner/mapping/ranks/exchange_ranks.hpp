// SPDX-License-Identifier: BSD-3-Clause
// Lowers the cost of an order by exchanging two ranks.
#pragma once

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

// Exchanges a rank with one on a node of its neighbours, while this lowers the cost.
void exchange_ranks(const RankGraph& graph, const RankSlots& slots, RankOrder& order);

}  // namespace nestbind::mapping
