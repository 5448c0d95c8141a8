// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/stages.hpp"

#include <algorithm>
#include <numeric>

#include "balance/across/ranks.hpp"
#include "balance/objects.hpp"

namespace nestbind::balance::across {

namespace {

// Where the messages of each object begin.
void find_first(const Grow<ObjectRecord>& objects, Grow<int>& first) {
  first.push(0);
  for (const ObjectRecord& object : objects) {
    first.push(first[first.size() - 1] + object.edges);
  }
}

}  // namespace

int Stages::local_index(int rank) const {
  return static_cast<int>(std::find(local.begin(), local.end(), rank) - local.begin());
}

void Stages::offer(const Aim& aim, Mail& mail) {
  objects_.clear();
  edges_.clear();
  threads_.clear();
  slots_.clear();
  first_numa_.clear();
  numa_.clear();
  first_numa_.push(0);
  NodeRecord node{};
  for (int i = 0; i < local.count(); ++i) {
    Reader reader = mail.received_from(i);
    const auto record = reader.take<RankRecord>();
    threads_.push(record.threads);
    slots_.push(record.slots);
    reader.take(numa_, record.numa);
    first_numa_.push(numa_.count());
    reader.take(objects_, record.objects);
    reader.take_rest(edges_);
    node.capacity += record.slots > 0 ? record.slots : record.threads;
  }
  for (const ObjectRecord& object : objects_) {
    node.load += object.load;
  }
  Grow<int> first, chosen;
  find_first(objects_, first);
  const double excess = node.load - aim.mean * (1 + aim.prices.tolerance) * node.capacity;
  if (aim.is_whole) {
    chosen.resize(objects_.size());
    std::iota(chosen.begin(), chosen.end(), 0);
  } else if (excess > 0) {
    choose(aim, excess, excess + aim.mean * aim.prices.tolerance * node.capacity, first, chosen);
  }
  node.objects = chosen.count();
  mail.clear();
  mail.put(0, &node, 1);
  for (const int object : chosen) {
    mail.put(0, &objects_[index(object)], 1);
  }
  for (const int object : chosen) {
    mail.put(0, edges_.data() + first[index(object)], index(objects_[index(object)].edges));
  }
}

// Chooses the cheapest objects, with twice the load that the node should give away: the root can
// then find some that fit. `most` is the load of an object that may go.
void Stages::choose(const Aim& aim, double excess, double most, const Grow<int>& first,
                    Grow<int>& chosen) const {
  Grow<double> weight, bytes, messages, cost;
  Grow<int> other, at, order;
  for (const ObjectRecord& object : objects_) {
    weight.push(object.load);
    bytes.push(object.bytes);
    at.push(own_node);
    order.push(order.count());
  }
  for (const EdgeRecord& edge : edges_) {
    other.push(-1 - std::max(edge.node, 0));
    messages.push(edge.messages);
  }
  cost.resize(objects_.size());
  const Crowd crowd{nodes,         nullptr,      nullptr,      nullptr,      objects_.count(),
                    weight.data(), bytes.data(), first.data(), other.data(), messages.data()};
  sort_by_cost(crowd, aim.prices, at.data(), order.data(), order.count(), cost.data());
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

bool Stages::assign(const Aim& aim, Mail& mail) {
  Grow<ObjectRecord> objects;
  Grow<EdgeRecord> edges;
  Grow<double> load, capacity, weight, bytes, messages;
  Grow<int> first, other, to;
  Ids known;
  for (int from = 0; from < nodes; ++from) {
    Reader reader = mail.received_from(from);
    const auto node = reader.take<NodeRecord>();
    load.push(node.load);
    capacity.push(node.capacity);
    reader.take(objects, node.objects);
    reader.take_rest(edges);
  }
  find_first(objects, first);
  for (const ObjectRecord& object : objects) {
    weight.push(object.load);
    bytes.push(object.bytes);
    to.push(object.to);
    if (edges.size() > 0) {
      known.add(object.id, to.count() - 1);
    }
  }
  for (const EdgeRecord& edge : edges) {
    const int at = known.find(edge.other);
    other.push(at >= 0 ? at : -1 - std::max(edge.node, 0));
    messages.push(edge.messages);
  }
  const Crowd crowd{nodes,         capacity.data(), load.data(),  hops,         objects.count(),
                    weight.data(), bytes.data(),    first.data(), other.data(), messages.data()};
  const bool has_memory = assign_to_nodes(crowd, aim.prices, to.data()) >= 0;
  mail.clear();
  // A record goes to the object's old node and to its new one; its messages only to the new one.
  for (std::size_t i = 0; i < objects.size(); ++i) {
    ObjectRecord object = objects[i];
    const int from = object.to;
    object.to = to[i];
    if (object.to != from) {
      mail.put(object.to, &object, 1);
      mail.put(object.to, edges.data() + first[i], index(object.edges));
      object.edges = 0;
      mail.put(from, &object, 1);
    }
  }
  return has_memory;
}

Outcome Stages::take_orders(const Aim& aim, const Mail& mail) {
  Ids leaving;
  Grow<double> busy;
  busy.fill(local.size(), 0);
  const std::size_t before = objects_.size();
  for (Reader reader = mail.received(); reader.has_more();) {
    auto object = reader.take<ObjectRecord>();
    if (object.to == own_node) {
      reader.take(edges_, object.edges);
      objects_.push(object);
    } else {
      leaving.add(object.id, 0);
      busy[index(local_index(object.rank))] += object.bytes;
    }
  }
  Grow<double> load, messages;
  Grow<int> first, rank, slot, of, edge_first, other;
  Ids here;
  find_first(objects_, first);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const ObjectRecord& object = objects_[i];
    if (i >= before || leaving.find(object.id) < 0) {
      here.add(object.id, of.count());
      of.push(static_cast<int>(i));
      load.push(object.load);
      rank.push(i >= before ? -1 : local_index(object.rank));
      slot.push(i >= before ? -1 : object.slot);
    }
  }
  edge_first.push(0);
  for (const int i : of) {
    for (int k = first[index(i)]; k < first[index(i) + 1]; ++k) {
      const int at = here.find(edges_[index(k)].other);
      if (at >= 0) {
        other.push(at);
        messages.push(edges_[index(k)].messages);
      }
    }
    edge_first.push(other.count());
  }
  Objects objects;
  objects.count = of.count();
  objects.load = load.data();
  if (other.size() > 0) {
    objects.first = edge_first.data();
    objects.other = other.data();
    objects.messages = messages.data();
  }
  const Ranks ranks{local.count(),      threads_.data(), slots_.data(),
                    first_numa_.data(), numa_.data(),    factor};
  Outcome outcome;
  outcome.time = assign_to_ranks(ranks, objects, aim.prices.per_message, aim.prices.tolerance,
                                 rank.data(), slot.data());
  moves_.clear();
  if (outcome.time < 0) {
    return outcome;
  }
  for (std::size_t i = 0; i < of.size(); ++i) {
    const ObjectRecord& object = objects_[index(of[i])];
    const int to = local[index(rank[i])];
    if (to != object.rank || slot[i] != object.slot) {
      moves_.push({{object.id, object.rank, to, slot[i]}, object.load});
      outcome.moves += 1;
    }
    if (to != object.rank) {
      outcome.bytes += object.bytes;
      busy[index(rank[i])] += object.bytes;
      if (index(of[i]) < before) {  // from a rank of this node
        busy[index(local_index(object.rank))] += object.bytes;
      }
    }
  }
  outcome.busiest = *std::max_element(busy.begin(), busy.end());
  return outcome;
}

void Stages::tell_ranks(Mail& mail) {
  mail.clear();
  for (const MoveRecord& record : moves_) {
    mail.put(record.move.from, &record, 1);
    if (record.move.from != record.move.to) {
      mail.put(record.move.to, &record, 1);
    }
  }
  moves_.clear();
}

}  // namespace nestbind::balance::across
