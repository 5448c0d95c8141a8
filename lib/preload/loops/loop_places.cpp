// SPDX-License-Identifier: BSD-3-Clause
#include "loops/loop_places.hpp"

namespace nestbind::loops {
namespace {

// Larger than every distance of a table.
constexpr unsigned kUnknown = 256;

bool is_same(std::uint16_t a, std::uint16_t b) { return a == b && a != Place::kNowhere; }

}  // namespace

Distance distance(const Place& a, const Place& b) {
  return is_same(a.l2, b.l2)             ? Distance::kL2
         : is_same(a.l3, b.l3)           ? Distance::kL3
         : is_same(a.node, b.node)       ? Distance::kNode
         : is_same(a.package, b.package) ? Distance::kPackage
                                         : Distance::kFar;
}

unsigned Places::between_nodes(const Place& a, const Place& b) const {
  if (node_distance == nullptr || a.node >= nodes || b.node >= nodes) {
    return kUnknown;
  }
  return node_distance[a.node * nodes + b.node];
}

unsigned remoteness(const Places& places, int a, int b) {
  const Place from = places.of(a);
  const Place to = places.of(b);
  const Distance near = distance(from, to);
  const auto rank = static_cast<unsigned>(near);
  return near == Distance::kFar ? rank + places.between_nodes(from, to) : rank;
}

}  // namespace nestbind::loops
