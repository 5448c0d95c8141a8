// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/grid_blocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "mapping/ranks/halves.hpp"

namespace nestbind::mapping {

namespace {

using Shape = std::vector<int>;

// The shapes with `positions` positions whose lengths divide the grid's.
void add_shapes(const Shape& lengths, int positions, Shape& shape, std::vector<Shape>& shapes) {
  const std::size_t d = shape.size();
  if (d == lengths.size()) {
    if (positions == 1) {
      shapes.push_back(shape);
    }
    return;
  }
  for (int length = 1; length <= std::min(positions, lengths[d]); ++length) {
    if (lengths[d] % length == 0 && positions % length == 0) {
      shape.push_back(length);
      add_shapes(lengths, positions / length, shape, shapes);
      shape.pop_back();
    }
  }
}

// Groups of slots that share the first numbers of their keys.
struct Level {
  int size = 0;        // slots of each group
  double further = 0;  // how much further apart two slots are in different groups
};

// The levels whose groups are alike, the innermost first. node: the index of the nodes' level in
// the result. Not set if nodes are not alike.
std::optional<std::vector<Level>> levels_of(const RankSlots& slots, const Places& places,
                                            std::size_t& node) {
  const std::size_t outside = places.width - slots.levels;
  std::vector<int> sorted(static_cast<std::size_t>(places.count()));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, [&](int a, int b) {
    return std::ranges::lexicographical_compare(places.key(a), places.key(b));
  });
  std::vector<Level> levels;
  for (std::size_t prefix = places.width; prefix > 0; --prefix) {
    const bool is_node = prefix == outside;
    if (places.metric > 0 && prefix < outside) {
      break;  // in a torus no group is above the nodes
    }
    const double further = prefix < outside ? 1
                           : is_node        ? 1 - (slots.levels > 0 ? RankSlots::kInside : 0)
                                     : RankSlots::kInside / static_cast<double>(slots.levels);
    int size = 0;
    bool are_alike = true;
    for (std::size_t begin = 0, end = 0; begin < sorted.size() && are_alike; begin = end) {
      const auto first = places.key(sorted[begin]).first(prefix);
      while (end < sorted.size() &&
             std::ranges::equal(places.key(sorted[end]).first(prefix), first)) {
        ++end;
      }
      const int own = static_cast<int>(end - begin);
      are_alike = size == 0 || size == own;
      size = own;
    }
    if (!are_alike && is_node) {
      return std::nullopt;
    }
    if (are_alike) {
      if (is_node) {
        node = levels.size();
      }
      levels.push_back({size, further});
    }
  }
  return levels;
}

struct Chain {
  double cost = 0;
  std::vector<Shape> blocks;  // of each level, the innermost first
};

bool divides(const Shape& small, const Shape& large) {
  return std::ranges::equal(small, large, [](int one, int other) { return other % one == 0; });
}

// The best chain of blocks for each shape of the outermost level.
std::vector<Chain> chains_of(const Grid& grid, const std::vector<Level>& levels) {
  std::vector<Chain> chains;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<Shape> shapes;
    Shape shape;
    add_shapes(grid.lengths, levels[level].size, shape, shapes);
    std::vector<Chain> next;
    for (const Shape& block : shapes) {
      const Chain* inside = nullptr;
      for (const Chain& chain : chains) {
        if (divides(chain.blocks.back(), block) &&
            (inside == nullptr || chain.cost < inside->cost)) {
          inside = &chain;
        }
      }
      if (level == 0 || inside != nullptr) {
        Chain chain = inside == nullptr ? Chain{} : *inside;
        chain.cost += levels[level].further * cut_of_blocks(grid, block);
        chain.blocks.push_back(block);
        next.push_back(std::move(chain));
      }
    }
    chains = std::move(next);
  }
  std::ranges::stable_sort(chains, {}, &Chain::cost);
  return chains;
}

// The number of each position of the grid: block by block, from the outermost level on.
std::vector<int> numbers_of(const Grid& grid, const std::vector<Shape>& blocks) {
  const std::size_t dims = grid.lengths.size();
  std::vector<int> numbers(static_cast<std::size_t>(grid.ranks()));
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    Shape at(dims);
    int rest = static_cast<int>(rank);
    for (std::size_t d = dims; d-- > 0; rest /= grid.lengths[d]) {
      at[d] = rest % grid.lengths[d];
    }
    Shape outer = grid.lengths;
    int number = 0;
    for (std::size_t level = blocks.size() + 1; level-- > 0;) {
      const Shape inner = level == 0 ? Shape(dims, 1) : blocks[level - 1];
      for (std::size_t d = 0; d < dims; ++d) {
        number = number * (outer[d] / inner[d]) + at[d] / inner[d];
        at[d] %= inner[d];
      }
      outer = inner;
    }
    numbers[rank] = number;
  }
  return numbers;
}

// The grid whose positions are blocks of another grid.
Grid grid_of_blocks(const Grid& grid, const Shape& block) {
  Grid blocks = grid;
  blocks.stencil = Stencil::kFaces;
  for (std::size_t d = 0; d < block.size(); ++d) {
    blocks.lengths[d] /= block[d];
    for (std::size_t other = 0; other < block.size(); ++other) {
      blocks.weights[d] *= other == d ? 1 : block[other];
    }
  }
  return blocks;
}

// The positions of a grid, strip by strip. Each strip begins where the last one has ended.
std::vector<int> cells_of(const Grid& grid, const Shape& widths, std::size_t along) {
  const std::size_t dims = grid.lengths.size();
  // Digits, the slowest first: the strip in each dimension, the place along it, the place across.
  std::vector<std::vector<int>> keys(static_cast<std::size_t>(grid.ranks()));
  for (std::size_t rank = 0; rank < keys.size(); ++rank) {
    Shape at(dims);
    int rest = static_cast<int>(rank);
    for (std::size_t d = dims; d-- > 0; rest /= grid.lengths[d]) {
      at[d] = rest % grid.lengths[d];
    }
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

double cut_of_blocks(const Grid& grid, const std::vector<int>& block) {
  double cut = 0;
  for (const Offset& offset : offsets_of(grid)) {
    double pairs = 1;
    double inside = 1;
    for (std::size_t d = 0; d < block.size(); ++d) {
      const int length = grid.lengths[d];
      const int own = block[d];
      const bool is_step = offset.step[d] != 0;
      const bool is_closed = grid.is_closed[d];
      const bool is_whole = own == length;
      pairs *= is_step && !is_closed ? length - 1 : length;
      inside *= !is_step ? length : length / own * (own - 1) + (is_whole && is_closed ? 1 : 0);
    }
    cut += offset.weight * (pairs - inside);
  }
  return cut;
}

std::vector<RankOrder> block_orders(const Grid& grid, const RankSlots& slots) {
  constexpr std::size_t kMostChains = 4;
  const Places places = places_of(slots);
  std::size_t node = 0;
  auto levels = levels_of(slots, places, node);
  if (!levels) {
    return {};
  }
  // Outer and inner levels are given up until all remaining blocks divide the grid.
  std::vector<Chain> chains = chains_of(grid, *levels);
  while (chains.empty() && levels->size() > 1) {
    if (levels->size() > node + 1) {
      levels->pop_back();
    } else {
      levels->erase(levels->begin());
      --node;
    }
    chains = chains_of(grid, *levels);
  }
  std::vector<int> sorted(static_cast<std::size_t>(places.count()));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::stable_sort(sorted, [&](int a, int b) {
    return std::ranges::lexicographical_compare(places.key(a), places.key(b));
  });
  std::vector<RankOrder> orders;
  for (const Chain& chain : chains) {
    if (orders.size() == kMostChains) {
      break;
    }
    const int size = (*levels)[node].size;
    const std::vector<int> numbers = numbers_of(grid, chain.blocks);
    // In a torus the blocks' grid is divided like the network.
    std::vector<int> node_of_block;
    if (places.metric > 0) {
      std::vector<int> nodes;
      for (std::size_t first = 0; first < sorted.size(); first += static_cast<std::size_t>(size)) {
        nodes.push_back(slots.node[sorted[first]]);
      }
      const Grid blocks = grid_of_blocks(grid, chain.blocks[node]);
      const RankGraph graph = graph_of(blocks);
      node_of_block = fill(places_of(*slots.network, nodes), graph, grid_cut(blocks, graph));
    }
    RankOrder order;
    for (const int number : numbers) {
      const int block = node_of_block.empty() ? number / size : node_of_block[number / size];
      order.push_back(sorted[static_cast<std::size_t>(block) * size + number % size]);
    }
    orders.push_back(std::move(order));
    if (places.metric == 0) {
      break;
    }
  }
  return orders;
}

std::vector<RankOrder> strip_orders(const Grid& grid, const RankSlots& slots) {
  constexpr int kWidest = 8;
  constexpr long kMostWork = 20'000'000;  // positions of all orders together
  const Places places = places_of(slots);
  std::vector<int> sorted(static_cast<std::size_t>(places.count()));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::stable_sort(sorted, [&](int a, int b) {
    return std::ranges::lexicographical_compare(places.key(a), places.key(b));
  });
  const std::size_t dims = grid.lengths.size();
  std::vector<RankOrder> orders;
  // Strips lie along dimension `along`, and have these widths in the others.
  for (std::size_t along = 0; along < dims; ++along) {
    Shape widths(dims, 1);
    widths[along] = grid.lengths[along];
    while (static_cast<long>(orders.size()) * places.count() < kMostWork) {
      const std::vector<int> cells = cells_of(grid, widths, along);
      RankOrder order(cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        order[cells[i]] = sorted[i];
      }
      orders.push_back(std::move(order));
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
  return orders;
}

}  // namespace nestbind::mapping
