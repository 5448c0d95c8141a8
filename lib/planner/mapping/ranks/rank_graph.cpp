// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/rank_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace nestbind::mapping {

namespace {

// From a position to another one.
struct Offset {
  std::vector<int> step;  // from -1 to 1 in each dimension
  double weight = 0;
};

// One offset for each pair of neighbours: the first step that is not 0 is 1.
std::vector<Offset> offsets_of(const Grid& grid) {
  const std::size_t dims = grid.lengths.size();
  const std::size_t most = grid.stencil == Stencil::kFaces   ? 1
                           : grid.stencil == Stencil::kEdges ? 2
                                                             : dims;
  long all = 1;
  for (std::size_t d = 0; d < dims; ++d) {
    all *= 3;
  }
  std::vector<Offset> offsets;
  for (long number = all / 2 + 1; number < all; ++number) {  // the later half: first step is 1
    Offset offset{std::vector<int>(dims), 0};
    std::size_t steps = 0;
    long rest = number;
    for (std::size_t d = dims; d-- > 0; rest /= 3) {
      offset.step[d] = static_cast<int>(rest % 3) - 1;
      if (offset.step[d] != 0) {
        offset.weight = steps++ == 0 ? grid.weights[d] : std::min(offset.weight, grid.weights[d]);
      }
    }
    if (steps <= most) {
      offsets.push_back(std::move(offset));
    }
  }
  return offsets;
}

}  // namespace

int Grid::ranks() const {
  int ranks = 1;
  for (const int length : lengths) {
    ranks *= length;
  }
  return ranks;
}

std::vector<int> Grid::position(int rank) const {
  std::vector<int> at(lengths.size());
  for (std::size_t d = lengths.size(); d-- > 0; rank /= lengths[d]) {
    at[d] = rank % lengths[d];
  }
  return at;
}

RankGraph graph_of(int ranks, std::vector<Message> messages) {
  std::erase_if(messages, [](const Message& message) {
    return message.from == message.to || message.bytes <= 0;
  });
  const std::size_t count = messages.size();
  messages.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    messages.push_back({messages[i].to, messages[i].from, messages[i].bytes});
  }
  std::ranges::sort(messages, {}, [](const Message& message) {
    return std::tuple(message.from, message.to, message.bytes);
  });
  RankGraph graph;
  auto next = messages.begin();
  for (int rank = 0; rank < ranks; ++rank) {
    for (int last = -1; next != messages.end() && next->from == rank; ++next) {
      if (next->to == last) {
        graph.bytes.back() += next->bytes;
      } else {
        last = next->to;
        graph.other.push_back(last);
        graph.bytes.push_back(next->bytes);
      }
    }
    graph.begin.push_back(static_cast<long>(graph.other.size()));
  }
  return graph;
}

RankGraph graph_of(const Grid& grid) {
  const std::size_t dims = grid.lengths.size();
  const int ranks = grid.ranks();
  std::vector<Message> messages;
  const std::vector<Offset> offsets = offsets_of(grid);
  messages.reserve(offsets.size() * static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<int> at = grid.position(rank);
    for (const Offset& offset : offsets) {
      int other = 0;
      bool is_there = true;
      for (std::size_t d = 0; d < dims; ++d) {
        const int length = grid.lengths[d];
        const int to = at[d] + offset.step[d];
        is_there = is_there && (grid.is_closed[d] || (to >= 0 && to < length));
        other = other * length + (to + length) % length;
      }
      if (is_there) {
        messages.push_back({rank, other, offset.weight});
      }
    }
  }
  return graph_of(ranks, std::move(messages));
}

}  // namespace nestbind::mapping
