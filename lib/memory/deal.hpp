// SPDX-License-Identifier: BSD-3-Clause
// Ours, in place of the published draw of a node for each page that is to be interleaved: pages are
// dealt to the node that lacks most. It is the same each time, balances in one interval, and moves
// no page of a node that has not too much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/metrics.hpp"

namespace nestbind::memory {

// A page, or a unit, that is to be interleaved.
struct Card {
  std::uint64_t weight = 0;  // its samples
  std::uint64_t bytes = 0;
  int home = 0;
};

struct Hand {
  std::vector<int> to;  // the node for each card, which is its home where it is to stay
  bool is_cut = false;  // more would have moved, had more bytes been allowed
};

// load: the samples of all memory by the node that it is on, cards and others, moves that are
// ordered already included. Only nodes of `allowed` are dealt to. At most `bytes` are moved. Of a
// node with too much, pages leave evenly all along its cards, so that a program that walks through
// them meets all nodes all the time; a page leaves only for a node that has less afterwards than
// its own had before. Of pages that weigh more than a node has too much, one leaves where that is
// better, too.
Hand deal(std::span<const Card> cards, std::span<const std::uint64_t> load, NodeSet allowed,
          std::uint64_t bytes);

}  // namespace nestbind::memory
