// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace nestbind::balance::across {

namespace {

double hops(const Places& places, int from, int to) {
  if (places.hops == nullptr) {
    return from == to ? 0 : 1;
  }
  return places.hops[static_cast<std::ptrdiff_t>(from) * places.count + to];
}

// The places with which an object exchanges messages: the first kMost different ones.
struct Partners {
  static constexpr int kMost = 16;
  int count = 0;
  int place[kMost];
  double messages[kMost];

  Partners(const List<Object>& objects, const List<Edge>& edges, int object) {
    const Edge* const begin = edges.data() + objects[index(object)].first;
    for (const Edge* edge = begin; edge != begin + objects[index(object)].edges; ++edge) {
      const int there = edge->at < 0 ? edge->place : objects[index(edge->at)].place;
      int at = 0;
      while (at < count && place[at] != there) {
        ++at;
      }
      if (at == kMost || there < 0 || edge->at == object) {
        continue;
      }
      if (at == count) {
        place[count] = there;
        messages[count++] = 0;
      }
      messages[at] += edge->messages;
    }
  }
  double cost_on(const Places& places, int here) const {
    double cost = 0;
    for (int i = 0; i < count; ++i) {
      cost += messages[i] * hops(places, here, place[i]);
    }
    return cost;
  }
  // The messages to a place, less those to the best other one.
  double held_on(int here) const {
    double own = 0;
    double most = 0;
    for (int i = 0; i < count; ++i) {
      double& of = place[i] == here ? own : most;
      of = std::max(of, messages[i]);
    }
    return own - most;
  }
};

class Giving {
 public:
  Giving(Arena& arena, const Places& places, const Prices& prices, List<Object>& objects,
         const List<Edge>& edges)
      : places_(places),
        prices_(prices),
        objects_(objects),
        edges_(edges),
        start_(arena, objects.size()),
        order_(arena, objects.size()),
        cost_(arena, objects.size()),
        first_(arena, index(places.count) + 1),
        start_load_(arena, index(places.count)),
        heavy_(arena, index(places.count)),
        light_(arena, index(places.count)),
        is_sorted_(arena, index(places.count)) {
    for (const Object& object : objects) {
      ++first_[index(object.place) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::copy(first_.begin(), first_.end() - 1, heavy_.begin());
    for (int i = 0; i < objects.count(); ++i) {
      const int place = objects[index(i)].place;
      start_[index(i)] = place;
      order_[index(heavy_[index(place)]++)] = i;
    }
    std::copy(places.load, places.load + places.count, start_load_.begin());
  }

  // Returns false if some place stays above the limit.
  bool keep(double limit) {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      objects_[i].place = start_[i];
    }
    std::copy(start_load_.begin(), start_load_.end(), places_.load);
    limit_ = limit;
    heavy_.set_size(0);
    for (int place = 0; place < places_.count; ++place) {
      if (excess(place) > 0) {
        heavy_.push(place);
      }
    }
    std::sort(heavy_.begin(), heavy_.end(), [&](int a, int b) {
      return excess(a) > excess(b) || (excess(a) == excess(b) && a < b);
    });
    // Only places that give objects are sorted, only once, and before anything has moved.
    for (const int place : heavy_) {
      if (is_sorted_[index(place)] == 0) {
        is_sorted_[index(place)] = 1;
        sort_by_cost(objects_, edges_, prices_, begin_of(place), begin_of(place + 1), cost_.data());
      }
    }
    return std::all_of(heavy_.begin(), heavy_.end(), [&](int place) { return relieve(place); });
  }

 private:
  double load_of(int object) const { return objects_[index(object)].load; }
  double excess(int place) const { return places_.load[place] - limit_ * places_.capacity[place]; }
  bool has_room(int place, double load) const { return excess(place) + load <= 0; }

  int* begin_of(int place) { return order_.data() + first_[index(place)]; }

  // Gives the cheapest objects, until one object is enough.
  bool relieve(int place) {
    const int* const begin = begin_of(place);
    const int* const end = begin_of(place + 1);
    find_light(place);
    double heaviest = 0;
    for (const int* object = begin; object != end; ++object) {
      heaviest = std::max(heaviest, load_of(*object));
    }
    bool has_failed = false;
    for (const int* object = begin; object != end && excess(place) > 0; ++object) {
      if (heaviest >= excess(place) && !has_failed) {
        has_failed = !give_enough(place);
      }
      if (load_of(*object) > 0 && load_of(*object) < excess(place)) {
        give(*object, place);
      }
    }
    return excess(place) <= 0 || give_enough(place);
  }

  // Gives one object, after which the place is within the limit: the cheapest, and of these the
  // lightest.
  bool give_enough(int place) {
    int best = -1;
    const auto price = [&](int object) { return cost_[index(object)] * load_of(object); };
    double roomiest = 0;
    for (const int to : light_) {
      roomiest = std::min(roomiest, excess(to));
    }
    for (const int* object = begin_of(place); object != begin_of(place + 1); ++object) {
      const double load = load_of(*object);
      if (objects_[index(*object)].place == place && load > 0 && load >= excess(place) &&
          roomiest + load <= 0 &&
          (best < 0 || price(*object) < price(best) ||
           (price(*object) <= price(best) && load < load_of(best)))) {
        best = *object;
      }
    }
    return best >= 0 && give(best, place);
  }

  // The places below the limit, the nearest first.
  void find_light(int place) {
    light_.set_size(0);
    for (int to = 0; to < places_.count; ++to) {
      if (excess(to) < 0) {
        light_.push(to);
      }
    }
    if (places_.hops != nullptr) {
      std::sort(light_.begin(), light_.end(), [&](int a, int b) {
        const double hops_a = hops(places_, place, a);
        const double hops_b = hops(places_, place, b);
        return hops_a < hops_b || (hops_a <= hops_b && a < b);
      });
    }
  }

  bool give(int object, int from) {
    const int to = target(object, from);
    if (to >= 0) {
      objects_[index(object)].place = to;
      places_.load[from] -= load_of(object);
      places_.load[to] += load_of(object);
    }
    return to >= 0;
  }

  int target(int object, int from) const {
    const double load = load_of(object);
    // Of the nearest places with room, the one with the least room.
    int best = -1;
    for (const int to : light_) {
      if (best >= 0 && hops(places_, from, to) > hops(places_, from, best)) {
        break;
      }
      best = has_room(to, load) && (best < 0 || excess(to) > excess(best)) ? to : best;
    }
    if (best < 0) {
      return best;
    }
    const Partners partners(objects_, edges_, object);
    double least = partners.cost_on(places_, best);
    for (int i = 0; i < partners.count; ++i) {
      const int to = partners.place[i];
      const double cost = partners.cost_on(places_, to);
      if (to != from && cost < least && has_room(to, load)) {
        least = cost;
        best = to;
      }
    }
    return best;
  }

  const Places& places_;
  const Prices& prices_;
  List<Object>& objects_;
  const List<Edge>& edges_;
  List<int> start_;  // the place of each object before the call
  List<int> order_;  // the objects of each place
  List<double> cost_;
  List<int> first_;
  List<double> start_load_;
  List<int> heavy_;
  List<int> light_;
  List<char> is_sorted_;
  double limit_ = 0;
};

}  // namespace

void sort_by_cost(const List<Object>& objects, const List<Edge>& edges, const Prices& prices,
                  int* begin, int* end, double* cost) {
  constexpr double kLeast = 1e-300;
  for (const int* at = begin; at != end; ++at) {
    const Object& object = objects[index(*at)];
    const double messages =
        object.edges == 0 ? 0 : Partners(objects, edges, *at).held_on(object.place);
    cost[*at] = (prices.per_byte * object.bytes + prices.per_message * messages) /
                std::max(object.load, kLeast);
  }
  std::sort(begin, end, [&](int a, int b) {
    const double load_a = objects[index(a)].load;
    const double load_b = objects[index(b)].load;
    return cost[a] != cost[b] ? cost[a] < cost[b] : load_a != load_b ? load_a > load_b : a < b;
  });
}

void spread(Arena& arena, const Places& places, const Prices& prices, List<Object>& objects,
            const List<Edge>& edges) {
  constexpr double kStep = 0.01;
  double heaviest = 0;
  double capacity = 0;
  for (int place = 0; place < places.count; ++place) {
    heaviest = std::max(heaviest, places.load[place] / places.capacity[place]);
    capacity += places.capacity[place];
  }
  const double mean = std::accumulate(places.load, places.load + places.count, 0.0) / capacity;
  const double least = mean * (1 + prices.tolerance);
  if (!(mean > 0) || heaviest <= least) {
    return;
  }
  Giving giving(arena, places, prices, objects, edges);
  // Bisection finds the lowest limit.
  double kept = std::ceil((heaviest - least) / (mean * kStep));
  double missed = -1;
  while (kept - missed > 1) {
    const double steps = missed < 0 ? 0 : std::floor((kept + missed) / 2);
    (giving.keep(least + steps * kStep * mean) ? kept : missed) = steps;
  }
  giving.keep(least + kept * kStep * mean);
}

}  // namespace nestbind::balance::across
