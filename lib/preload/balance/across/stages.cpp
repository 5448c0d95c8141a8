// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/stages.hpp"

#include <algorithm>
#include <numeric>

#include "balance/across/worth.hpp"

namespace nestbind::balance::across {

namespace {

struct NodeRecord {
  double load;
  double capacity;
  int objects;
  int rest;
};

// Takes objects, and then all edges.
void take_objects(Reader& reader, int count, List<Object>& objects, List<Edge>& edges) {
  int first = edges.count();
  objects.reserve_more(index(count));
  for (int i = 0; i < count; ++i) {
    auto object = reader.take<Object>();
    object.first = first;
    first += object.edges;
    objects.push(object);
  }
  edges.reserve_more(index(first) - edges.size());
  while (edges.count() < first) {
    edges.push(reader.take<Edge>());
  }
}

// Finds the objects of edges in the list.
void find_others(Arena& arena, const List<Object>& objects, List<Edge>& edges) {
  if (edges.size() > 0) {
    Ids known(arena, objects.size());
    for (int i = 0; i < objects.count(); ++i) {
      known.add(objects[index(i)].id, i);
    }
    for (Edge& edge : edges) {
      edge.at = known.find(edge.other);
    }
  }
}

}  // namespace

int Stages::first_place_of(int rank) const {
  return static_cast<int>(std::find(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
}

void Stages::offer(const Aim& aim, Mail& mail) {
  for (const int rank : job_.local) {
    Reader reader = mail.received_from(rank);
    const auto record = reader.take<RankRecord>();
    int numa = 0;
    for (int slot = 0; slot < std::max({record.slots, record.numa, 1}); ++slot) {
      numa = slot < record.numa ? reader.take<int>() : numa;
      if (slot < std::max(record.slots, 1)) {
        ranks_.push(rank);
        numa_.push(numa);
        capacity_.push(record.slots > 0 ? 1 : record.threads);
      }
    }
    take_objects(reader, record.objects, objects_, edges_);
  }
  NodeRecord node{};
  node.capacity = std::accumulate(capacity_.begin(), capacity_.end(), 0.0);
  for (const Object& object : objects_) {
    node.load += object.load;
  }
  List<int> chosen(arena_);
  const double excess = node.load - aim.mean * (1 + aim.prices.tolerance) * node.capacity;
  if (aim.is_whole) {
    chosen.fill(objects_.size(), 0);
    std::iota(chosen.begin(), chosen.end(), 0);
  } else if (excess > 0) {
    choose(aim, excess, excess + aim.mean * aim.prices.tolerance * node.capacity, chosen);
  }
  node.objects = chosen.count();
  mail.put(0, &node, 1);
  for (const int object : chosen) {
    mail.put(0, &objects_[index(object)], 1);
  }
  for (const int object : chosen) {
    const Object& of = objects_[index(object)];
    mail.put(0, edges_.data() + of.first, index(of.edges));
  }
}

// Chooses the cheapest objects, with twice the load that the node should give away: the root can
// then find some that fit. `most` is the load of an object that may go.
void Stages::choose(const Aim& aim, double excess, double most, List<int>& chosen) {
  List<int> order(arena_, objects_.size());
  List<double> cost(arena_, objects_.size());
  std::iota(order.begin(), order.end(), 0);
  sort_by_cost(objects_, edges_, aim.prices, order.begin(), order.end(), cost.data());
  double offered = 0;
  int enough = -1;  // the lightest object that alone is more than the excess
  for (const int object : order) {
    const double load = objects_[index(object)].load;
    if (load > 0 && load <= most && offered < 2 * excess) {
      chosen.push(object);
      offered += load;
    } else if (load > most && (enough < 0 || load < objects_[index(enough)].load)) {
      enough = object;
    }
  }
  if (enough >= 0) {
    chosen.push(enough);
  }
}

void Stages::assign(const Aim& aim, Mail& mail) {
  List<Object> objects(arena_);
  List<Edge> edges(arena_);
  List<double> load(arena_);
  List<double> capacity(arena_);
  for (const int leader : job_.leaders) {
    Reader reader = mail.received_from(leader);
    const auto node = reader.take<NodeRecord>();
    load.push(node.load);
    capacity.push(node.capacity);
    take_objects(reader, node.objects, objects, edges);
  }
  find_others(arena_, objects, edges);
  List<int> from(arena_);
  for (const Object& object : objects) {
    from.push(object.place);
  }
  const double* const hops = job_.hops.size() > 0 ? job_.hops.data() : nullptr;
  spread(arena_, {load.count(), capacity.data(), load.data(), hops}, aim.prices, objects, edges);
  // The new node of an object gets its record and its edges, the old one only the record.
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Object& object = objects[i];
    if (object.place != from[i]) {
      mail.put(job_.leaders[index(object.place)], &object, 1);
      mail.put(job_.leaders[index(object.place)], edges.data() + object.first, index(object.edges));
      object.edges = 0;
      mail.put(job_.leaders[index(from[i])], &object, 1);
    }
  }
}

void Stages::take_orders(const Aim& aim, Mail& mail, double* numbers) {
  List<double> load(arena_, ranks_.size(), 0.0);
  List<double> busy(arena_, ranks_.size(), 0.0);  // bytes of ranks, at their first places
  List<Object> arriving(arena_);
  Ids leaving(arena_);
  for (Reader reader = mail.all_received(); reader.has_more();) {
    const auto object = reader.take<Object>();
    if (object.place == job_.own_node) {
      arriving.push(object);
      arriving.end()[-1].first = edges_.count();
      for (int i = 0; i < object.edges; ++i) {
        edges_.push(reader.take<Edge>());
      }
    } else {
      leaving.add(object.id, 0);
      busy[index(first_place_of(object.rank))] += object.bytes;
    }
  }
  objects_.set_size(index(static_cast<int>(
      std::remove_if(objects_.begin(), objects_.end(),
                     [&](const Object& object) { return leaving.find(object.id) >= 0; }) -
      objects_.begin())));
  // Messages only matter between NUMA nodes: all places of a NUMA node are equal.
  const bool is_far =
      job_.factor != nullptr &&
      std::any_of(numa_.begin(), numa_.end(), [&](int numa) { return numa != numa_[0]; });
  const auto put = [&](Object& object, int place) {
    object.place = place;
    object.edges = is_far ? object.edges : 0;
    load[index(place)] += object.load;
  };
  for (Object& object : objects_) {
    put(object, first_place_of(object.rank) + object.slot);
  }
  // Objects from other nodes begin on the place with the least load.
  for (Object& object : arriving) {
    int best = 0;
    for (int place = 1; place < ranks_.count(); ++place) {
      best =
          load[index(place)] * capacity_[index(best)] < load[index(best)] * capacity_[index(place)]
              ? place
              : best;
    }
    put(object, best);
    objects_.push(object);
  }
  for (Edge& edge : edges_) {
    edge.place = -1;
  }
  find_others(arena_, objects_, edges_);
  List<double> hops(arena_);
  for (std::size_t i = 0; is_far && i < numa_.size() * numa_.size(); ++i) {
    const std::size_t from = i / numa_.size();
    const std::size_t to = i % numa_.size();
    const double factor = job_.factor(numa_[from], numa_[to]);
    hops.push(from == to ? 0 : factor > 0 ? factor : 1);
  }
  spread(arena_, {ranks_.count(), capacity_.data(), load.data(), is_far ? hops.data() : nullptr},
         aim.prices, objects_, edges_);
  for (const Object& object : objects_) {
    const int to = ranks_[index(object.place)];
    const int slot = object.place - first_place_of(to);
    if (to != object.rank || slot != object.slot) {
      const MoveRecord record{{object.id, object.rank, to, slot}, object.load};
      mail.put(object.rank, &record, 1);
      numbers[kMoves] += 1;
      if (to != object.rank) {
        mail.put(to, &record, 1);
        numbers[kBytes] += object.bytes;
        busy[index(first_place_of(to))] += object.bytes;
        const int from = first_place_of(object.rank);
        if (from < ranks_.count()) {  // a rank of this node
          busy[index(from)] += object.bytes;
        }
      }
    }
  }
  for (std::size_t place = 0; place < ranks_.size(); ++place) {
    numbers[kTime] = std::max(numbers[kTime], load[place] / capacity_[place]);
  }
  numbers[kBusiest] = *std::max_element(busy.begin(), busy.end());
}

}  // namespace nestbind::balance::across
