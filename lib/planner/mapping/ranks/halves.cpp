// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/halves.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace nestbind::mapping {

namespace {

// Sorts places by one number of their keys, and returns how many places the first half has. The cut
// is between two different numbers. 0 if all are alike.
std::size_t halve_at(const Places& places, std::span<int> some, std::size_t number) {
  std::vector<std::tuple<int, std::size_t, int>> keyed;  // places with equal keys keep their order
  keyed.reserve(some.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    keyed.emplace_back(places.key(some[i])[number], i, some[i]);
  }
  std::ranges::sort(keyed);
  std::ranges::transform(keyed, some.begin(), [](const auto& one) { return std::get<2>(one); });
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

class Filling {
 public:
  Filling(const Places& places, const RankGraph& graph, const Cut& cut)
      : places_(places),
        graph_(graph),
        cut_(cut),
        place_of_(static_cast<std::size_t>(graph.ranks())),
        centre_(places.metric > 0 ? 1 : 0),
        region_(place_of_.size(), 0),
        drawn_(places.metric > 0 ? place_of_.size() : 0) {}

  std::vector<int> run() {
    std::vector<int> some(place_of_.size());
    std::iota(some.begin(), some.end(), 0);
    std::vector<int> items = some;
    fill_part(some, items);
    return std::move(place_of_);
  }

 private:
  using Centre = std::vector<double>;

  void fill_part(std::span<int> some, std::span<int> items) {
    const std::size_t left = some.size() > 1 ? halve(places_, some) : 0;
    if (left == 0) {
      std::ranges::sort(some);
      std::ranges::sort(items);
      for (std::size_t i = 0; i < items.size(); ++i) {
        place_of_[items[i]] = some[i];
      }
      return;
    }
    if (places_.metric > 0) {
      draw(some, items, left);
    }
    cut_(items, left, drawn_);
    for (std::size_t i = 0; i < items.size() && places_.metric > 0; ++i) {
      region_[items[i]] = static_cast<int>(centre_.size()) - (i < left ? 2 : 1);
    }
    fill_part(some.first(left), items.first(left));
    fill_part(some.subspan(left), items.subspan(left));
  }

  // Adds the regions of both halves, and computes where ranks outside draw each item.
  void draw(std::span<const int> some, std::span<const int> items, std::size_t left) {
    centre_.push_back(centre_of(some.first(left)));
    centre_.push_back(centre_of(some.subspan(left)));
    const Centre& on_left = centre_[centre_.size() - 2];
    const Centre& on_right = centre_.back();
    const double apart = distance(on_left, on_right);
    const int own = region_[items[0]];
    for (const int item : items) {
      drawn_[item] = 0;
      for (long at = graph_.begin[item]; at < graph_.begin[item + 1] && apart > 0; ++at) {
        if (const int region = region_[graph_.other[at]]; region != own) {
          drawn_[item] +=
              graph_.bytes[at] *
              (distance(centre_[region], on_right) - distance(centre_[region], on_left)) / apart;
        }
      }
    }
  }
  Centre centre_of(std::span<const int> some) const {
    Centre centre(places_.metric, 0);
    for (const int place : some) {
      for (std::size_t d = 0; d < centre.size(); ++d) {
        centre[d] += places_.key(place)[d];
      }
    }
    for (double& sum : centre) {
      sum /= static_cast<double>(some.size());
    }
    return centre;
  }
  double distance(const Centre& one, const Centre& other) const {
    double sum = 0;
    for (std::size_t d = 0; d < one.size(); ++d) {
      const double straight = std::max(one[d], other[d]) - std::min(one[d], other[d]);
      sum += places_.wraps[d] > 0 ? std::min(straight, places_.wraps[d] - straight) : straight;
    }
    return sum;
  }

  const Places& places_;
  const RankGraph& graph_;
  const Cut& cut_;
  std::vector<int> place_of_;
  std::vector<Centre> centre_;  // of each region
  std::vector<int> region_;     // of each item
  std::vector<double> drawn_;
};

class GridCut {
 public:
  GridCut(const Grid& grid, const RankGraph& graph)
      : dims_(grid.lengths.size()),
        graph_(graph),
        mark_(static_cast<std::size_t>(graph.ranks()), 0) {
    for (int rank = 0; rank < graph.ranks(); ++rank) {
      const std::vector<int> own = grid.position(rank);
      at_.insert(at_.end(), own.begin(), own.end());
    }
  }

  void operator()(std::span<int> items, std::size_t left, const std::vector<double>& drawn) {
    Way best;
    double least = 0;
    int longest = 0;
    for (std::size_t d = 0; d < dims_; ++d) {
      const auto [low, high] =
          std::ranges::minmax(items, {}, [&](int item) { return at(item, d); });
      const int extent = at(high, d) - at(low, d);
      for (const bool is_back : {false, true}) {
        if (extent == 0 || (is_back && drawn.empty())) {
          continue;
        }
        const double crossing = cross(items, left, {d, is_back}, drawn);
        if (longest == 0 || crossing < least || (crossing == least && extent > longest)) {
          least = crossing;
          longest = extent;
          best = {d, is_back};
        }
      }
    }
    order(items, left, best);
  }

 private:
  struct Way {
    std::size_t d = 0;
    bool is_back = false;  // whether the left half has the larger coordinates
  };

  int at(int item, std::size_t d) const { return at_[static_cast<std::size_t>(item) * dims_ + d]; }
  void order(std::span<int> items, std::size_t left, Way way) const {
    std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(left), {},
                             [&](int item) {
                               const int own = at(item, way.d);
                               return std::pair(way.is_back ? -own : own, item);
                             });
  }
  double cross(std::span<int> items, std::size_t left, Way way, const std::vector<double>& drawn) {
    order(items, left, way);
    const long right = ++stamp_;
    for (const int item : items.subspan(left)) {
      mark_[item] = right;
    }
    double crossing = 0;
    for (const int item : items.first(left)) {
      crossing -= drawn.empty() ? 0 : drawn[item];
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
  places.wraps = network.kind() == network::Kind::kTorus ? network.lengths()
                                                         : std::vector<int>(places.width, 0);
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

std::vector<int> sorted_places(const Places& places) {
  std::vector<int> sorted(static_cast<std::size_t>(places.count()));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, [&](int a, int b) {
    return std::ranges::lexicographical_compare(places.key(a), places.key(b)) ||
           (a < b && std::ranges::equal(places.key(a), places.key(b)));
  });
  return sorted;
}

std::vector<int> fill(const Places& places, const RankGraph& graph, const Cut& cut) {
  return Filling(places, graph, cut).run();
}

Cut grid_cut(const Grid& grid, const RankGraph& graph) { return GridCut(grid, graph); }

}  // namespace nestbind::mapping
