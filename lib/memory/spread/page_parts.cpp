// SPDX-License-Identifier: BSD-3-Clause
#include "memory/spread/page_parts.hpp"

#include <algorithm>

namespace nestbind::memory::spread {

namespace {

// Returns floor(bytes * i / of), without overflow if i <= of and of < 2^32.
std::size_t share(std::size_t bytes, std::size_t i, std::size_t of) {
  return bytes / of * i + bytes % of * i / of;
}

void add(std::vector<Part>& parts, std::uintptr_t begin, std::uintptr_t end, int node) {
  if (begin == end) {
    return;
  }
  if (!parts.empty() && parts.back().node == node) {
    parts.back().end = end;
  } else {
    parts.push_back({end, node});
  }
}

}  // namespace

std::vector<Member> equal_members(std::span<const int> nodes, std::size_t members) {
  std::vector<Member> equal(members);
  for (std::size_t i = 0; i < members; ++i) {
    const std::size_t first = share(nodes.size(), i, members);
    const std::size_t last = std::max(first + 1, share(nodes.size(), i + 1, members));
    const auto own = nodes.subspan(first, last - first);
    equal[i].assign(own.begin(), own.end());
  }
  return equal;
}

std::vector<Part> block(std::uintptr_t begin, std::size_t bytes, std::span<const Member> members) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::size_t first = share(bytes, i, members.size());
    const std::size_t size = share(bytes, i + 1, members.size()) - first;
    const Member& nodes = members[i];
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      add(parts, begin + first + share(size, n, nodes.size()),
          begin + first + share(size, n + 1, nodes.size()), nodes[n]);
    }
  }
  if (parts.empty()) {
    parts.push_back({begin, members.front().front()});
  }
  return parts;
}

int node_at(std::span<const Part> parts, std::uintptr_t address) {
  const auto part = std::ranges::upper_bound(parts, address, {}, &Part::end);
  return part == parts.end() ? parts.back().node : part->node;
}

}  // namespace nestbind::memory::spread
