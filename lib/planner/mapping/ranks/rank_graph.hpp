// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a job exchange data: from a grid and its stencil, or from messages.
#pragma once

#include <functional>
#include <vector>

namespace nestbind::mapping {

// Which positions of a grid exchange data: kFaces differ by 1 in one dimension, kEdges in one or
// two, kCorners in any number of dimensions.
enum class Stencil { kFaces, kEdges, kCorners };

// Ranks are numbered along the last dimension, as by MPI_Cart_create.
struct Grid {
  std::vector<int> lengths;     // positive
  std::vector<bool> is_closed;  // whether a dimension is periodic
  std::vector<double> weights;  // of a pair that differs in this dimension; positive
  Stencil stencil = Stencil::kFaces;
  int ranks() const;
  std::vector<int> position(int rank) const;
};

struct Message {
  int from = 0;
  int to = 0;
  double bytes = 0;
};

// Compressed rows: each pair appears at both of its ranks, with the bytes of both directions.
struct RankGraph {
  std::vector<long> begin{0};  // rank r has the entries [begin[r], begin[r + 1])
  std::vector<int> other;      // in ascending order, without r itself
  std::vector<double> bytes;   // positive
  int ranks() const { return static_cast<int>(begin.size()) - 1; }
  long pairs() const { return static_cast<long>(other.size()) / 2; }
};

// Adds messages of the same pair. A rank's messages to itself, and those of 0 bytes, are ignored.
RankGraph graph_of(int ranks, std::vector<Message> messages);

// Each pair of neighbours has its dimension's weight; a diagonal pair has the least weight of its
// dimensions. In a periodic dimension of length 2, both neighbours are one rank, and the weight
// counts twice.
RankGraph graph_of(const Grid& grid);

// Offers orders that go through the grid in strips, with all widths up to a few (grid_blocks.cpp).
// If the lengths of the best block for a node divide the grid, one of these orders consists of such
// blocks. If no block of this size does, nodes get nearly blocks.
void for_each_strips(const Grid& grid,
                     const std::function<void(const std::vector<int>& positions)>& offer);

}  // namespace nestbind::mapping
