// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"

namespace nestbind::mapping {

namespace {

using Shape = std::vector<int>;

// The positions of a grid, strip by strip. Each strip begins where the last one has ended.
std::vector<int> cells_of(const Grid& grid, const Shape& widths, std::size_t along) {
  const std::size_t dims = grid.lengths.size();
  // Digits, the slowest first: the strip in each dimension, the place along it, the place across.
  std::vector<std::vector<int>> keys(static_cast<std::size_t>(grid.ranks()));
  for (std::size_t rank = 0; rank < keys.size(); ++rank) {
    const Shape at = grid.position(static_cast<int>(rank));
    std::vector<int>& key = keys[rank];
    int turns = 0;  // after an odd number of turns, the way goes back
    const auto put = [&](int number, int numbers) {
      key.push_back(turns % 2 == 0 ? number : numbers - 1 - number);
      turns += number;
    };
    for (std::size_t d = 0; d < dims; ++d) {
      if (d != along) {
        put(at[d] / widths[d], (grid.lengths[d] + widths[d] - 1) / widths[d]);
      }
    }
    put(at[along], grid.lengths[along]);
    for (std::size_t d = 0; d < dims; ++d) {
      if (d != along) {
        const int begin = at[d] / widths[d] * widths[d];
        put(at[d] - begin, std::min(widths[d], grid.lengths[d] - begin));
      }
    }
  }
  std::vector<int> cells(keys.size());
  std::iota(cells.begin(), cells.end(), 0);
  std::ranges::sort(cells, {}, [&](int cell) -> const std::vector<int>& { return keys[cell]; });
  return cells;
}

}  // namespace

void for_each_strips(const Grid& grid, const std::function<void(const std::vector<int>&)>& offer) {
  constexpr int kWidest = 8;
  constexpr long kMostWork = 20'000'000;  // positions of all orders together
  const std::size_t dims = grid.lengths.size();
  long orders = 0;
  for (std::size_t along = 0; along < dims; ++along) {
    Shape widths(dims, 1);
    widths[along] = grid.lengths[along];
    while (orders * grid.ranks() < kMostWork) {
      offer(cells_of(grid, widths, along));
      ++orders;
      std::size_t d = 0;
      while (d < dims && (d == along || ++widths[d] > std::min(kWidest, grid.lengths[d]))) {
        widths[d] = d == along ? widths[d] : 1;
        ++d;
      }
      if (d == dims) {
        break;
      }
    }
  }
}

}  // namespace nestbind::mapping
