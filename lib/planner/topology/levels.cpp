// SPDX-License-Identifier: BSD-3-Clause
#include "topology/levels.hpp"

#include <algorithm>

namespace nestbind::topology {

Levels::Levels(const machine::Machine& machine)
    : nodes_(machine.nodes), below_(machine.nodes.size(), 0) {
  // Children come after their parents.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const machine::Node& node = nodes_[i];
    below_[i] = node.children.empty() && node.end - node.begin > 1 ? 1 : 0;
    for (const int child : node.children) {
      below_[i] = std::max(below_[i], below_[child] + 1);
    }
  }
}

int Levels::between(int a, int b) const {
  if (a == b) {
    return 0;
  }
  const int first = std::min(a, b);
  const int last = std::max(a, b);
  int node = 0;
  while (true) {
    const std::vector<int>& children = nodes_[node].children;
    const auto child =
        std::ranges::upper_bound(children, first, {}, [&](int index) { return nodes_[index].end; });
    if (child == children.end() || nodes_[*child].end <= last) {
      return below_[node];
    }
    node = *child;
  }
}

}  // namespace nestbind::topology
