// SPDX-License-Identifier: BSD-3-Clause
// Simulates long messages that are sent at the same time over routes of a network.
#pragma once

#include <vector>

#include "network/network.hpp"

namespace bench {

struct Sent {
  int from = 0;  // nodes
  int to = 0;
  double bytes = 0;
};

struct Times {
  double mean = 0;  // of a message, in the time that one byte needs on a free link
  double slowest = 0;
};

// The messages on a link share its bandwidth equally. If another link slows one of them down, the
// others share what is left (max-min fairness). The shares are those at the start: they do not rise
// after other messages end. Messages inside a node, or that cross no counted link, are left out.
Times times_of(const nestbind::network::Network& network, const std::vector<Sent>& messages);

}  // namespace bench
