// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/rank_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace nestbind::mapping {

namespace {

// Sorts each row, and adds entries of the same pair.
void merge_rows(RankGraph& graph) {
  std::vector<std::pair<int, double>> row;
  long kept = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    row.clear();
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      row.emplace_back(graph.other[at], graph.bytes[at]);
    }
    std::ranges::sort(row);
    graph.begin[rank] = kept;
    for (const auto& [other, bytes] : row) {
      if (kept > graph.begin[rank] && graph.other[kept - 1] == other) {
        graph.bytes[kept - 1] += bytes;
      } else {
        graph.other[kept] = other;
        graph.bytes[kept++] = bytes;
      }
    }
  }
  graph.begin.back() = kept;
  graph.other.resize(static_cast<std::size_t>(kept));
  graph.bytes.resize(static_cast<std::size_t>(kept));
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

RankGraph graph_of(int ranks, const std::vector<Message>& messages) {
  RankGraph graph;
  graph.begin.assign(static_cast<std::size_t>(ranks) + 2, 0);
  const auto counts = [](const Message& message) {
    return message.from != message.to && message.bytes > 0;
  };
  for (const Message& message : messages) {
    if (counts(message)) {
      ++graph.begin[message.from + 2];
      ++graph.begin[message.to + 2];
    }
  }
  for (int i = 2; i <= ranks + 1; ++i) {
    graph.begin[i] += graph.begin[i - 1];
  }
  graph.other.resize(static_cast<std::size_t>(graph.begin.back()));
  graph.bytes.resize(graph.other.size());
  // Row r is filled from begin[r + 1], which is then the begin of row r + 1.
  for (const Message& message : messages) {
    if (counts(message)) {
      for (const auto& [one, two] :
           {std::pair(message.from, message.to), std::pair(message.to, message.from)}) {
        const long at = graph.begin[one + 1]++;
        graph.other[at] = two;
        graph.bytes[at] = message.bytes;
      }
    }
  }
  graph.begin.pop_back();
  merge_rows(graph);
  return graph;
}

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
  return graph_of(ranks, messages);
}

}  // namespace nestbind::mapping
