// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/halves.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace nestbind::mapping {

namespace {

// Sorts places by one number of their keys, and returns how many places the first half has. The cut
// is between two different numbers. 0 if all are alike.
std::size_t halve_at(const Places& places, std::span<int> some, std::size_t number) {
  std::ranges::stable_sort(some, {}, [&](int place) { return places.key(place)[number]; });
  std::size_t best = 0;
  const auto is_nearer = [&](std::size_t cut) {
    const auto from_middle = [&](std::size_t at) {
      return std::max(2 * at, some.size()) - std::min(2 * at, some.size());
    };
    return from_middle(cut) < from_middle(best);
  };
  for (std::size_t cut = 1; cut < some.size(); ++cut) {
    if (places.key(some[cut - 1])[number] != places.key(some[cut])[number] && is_nearer(cut)) {
      best = cut;
    }
  }
  return best;
}

std::size_t halve(const Places& places, std::span<int> some) {
  // In a torus or mesh the longest extent is divided.
  int longest = 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < places.metric; ++i) {
    const auto [least, most] =
        std::ranges::minmax_element(some, {}, [&](int place) { return places.key(place)[i]; });
    if (const int extent = places.key(*most)[i] - places.key(*least)[i]; extent > longest) {
      longest = extent;
      number = i;
    }
  }
  if (longest > 0) {
    return halve_at(places, some, number);
  }
  for (std::size_t i = places.metric; i < places.width; ++i) {
    if (const std::size_t cut = halve_at(places, some, i); cut > 0) {
      return cut;
    }
  }
  return 0;
}

void fill_part(const Places& places, std::span<int> some, std::span<int> items, const Cut& cut,
               std::vector<int>& place_of) {
  const std::size_t left = some.size() > 1 ? halve(places, some) : 0;
  if (left == 0) {
    std::ranges::sort(some);
    std::ranges::sort(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      place_of[items[i]] = some[i];
    }
    return;
  }
  cut(items, left);
  fill_part(places, some.first(left), items.first(left), cut, place_of);
  fill_part(places, some.subspan(left), items.subspan(left), cut, place_of);
}

class GridCut {
 public:
  GridCut(const Grid& grid, const RankGraph& graph)
      : dims_(grid.lengths.size()),
        graph_(graph),
        at_(dims_ * static_cast<std::size_t>(graph.ranks())),
        mark_(static_cast<std::size_t>(graph.ranks()), 0) {
    for (int rank = 0; rank < graph.ranks(); ++rank) {
      int rest = rank;
      for (std::size_t d = dims_; d-- > 0; rest /= grid.lengths[d]) {
        at_[static_cast<std::size_t>(rank) * dims_ + d] = rest % grid.lengths[d];
      }
    }
  }

  void operator()(std::span<int> items, std::size_t left) {
    double least = 0;
    std::size_t best = dims_;
    for (std::size_t d = 0; d < dims_; ++d) {
      const double crossing = cross(items, left, d);
      if (best == dims_ || crossing < least) {
        least = crossing;
        best = d;
      }
    }
    order(items, left, best);
  }

 private:
  void order(std::span<int> items, std::size_t left, std::size_t d) const {
    std::ranges::nth_element(
        items, items.begin() + static_cast<std::ptrdiff_t>(left), {},
        [&](int item) { return std::pair(at_[static_cast<std::size_t>(item) * dims_ + d], item); });
  }
  double cross(std::span<int> items, std::size_t left, std::size_t d) {
    order(items, left, d);
    const long right = ++stamp_;
    for (const int item : items.subspan(left)) {
      mark_[item] = right;
    }
    double crossing = 0;
    for (const int item : items.first(left)) {
      for (long at = graph_.begin[item]; at < graph_.begin[item + 1]; ++at) {
        crossing += mark_[graph_.other[at]] == right ? graph_.bytes[at] : 0;
      }
    }
    return crossing;
  }

  std::size_t dims_;
  const RankGraph& graph_;
  std::vector<int> at_;
  std::vector<long> mark_;  // stamp_ of the last right half with this item
  long stamp_ = 0;
};

}  // namespace

Places places_of(const network::Network& network, const std::vector<int>& nodes) {
  Places places;
  places.width = network.lengths().size();
  const bool is_metric =
      network.kind() == network::Kind::kTorus || network.kind() == network::Kind::kMesh;
  places.metric = is_metric ? places.width : 0;
  for (const int node : nodes) {
    const auto own = network.coordinates(node);
    places.keys.insert(places.keys.end(), own.begin(), own.end());
  }
  return places;
}

Places places_of(const RankSlots& slots) {
  Places places = places_of(*slots.network, {});
  places.width += slots.levels;
  for (int slot = 0; slot < slots.count(); ++slot) {
    const auto own = slots.network->coordinates(slots.node[slot]);
    places.keys.insert(places.keys.end(), own.begin(), own.end());
    const auto inner = slots.inner.begin() + static_cast<std::ptrdiff_t>(slot * slots.levels);
    places.keys.insert(places.keys.end(), inner, inner + static_cast<std::ptrdiff_t>(slots.levels));
  }
  return places;
}

std::vector<int> fill(const Places& places, const Cut& cut) {
  std::vector<int> some(static_cast<std::size_t>(places.count()));
  std::iota(some.begin(), some.end(), 0);
  std::vector<int> items = some;
  std::vector<int> place_of(some.size());
  fill_part(places, some, items, cut, place_of);
  return place_of;
}

Cut grid_cut(const Grid& grid, const RankGraph& graph) {
  const auto cut = std::make_shared<GridCut>(grid, graph);
  return [cut](std::span<int> items, std::size_t left) { (*cut)(items, left); };
}

}  // namespace nestbind::mapping
