// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/balancer.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "balance/objects.hpp"

namespace nestbind::balance::across {

namespace {

constexpr double kUsualPart = 0.05;  // of the loads: the cost of all messages together

// Reads records from received bytes.
class Reader {
 public:
  Reader(const char* begin, const char* end) : at_(begin), end_(end) {}
  bool has_more() const { return at_ < end_; }
  template <typename T>
  T take() {
    T value{};
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <typename T>
  void take(Grow<T>& to, int count) {
    for (int i = 0; i < count; ++i) {
      to.push(take<T>());
    }
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace

bool Balancer::Outbox::pack(std::size_t ranks) {
  if (!counts.fill(ranks, 0) || !offsets.fill(ranks + 1, 0) || !packed.resize(bytes_.size())) {
    return false;
  }
  for (const Part& part : parts_) {
    counts[index(part.to)] += part.count;
  }
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  Grow<int> next;
  if (!next.resize(ranks)) {
    return false;
  }
  std::copy(offsets.begin(), offsets.end() - 1, next.begin());
  const char* from = bytes_.data();
  for (const Part& part : parts_) {
    if (part.count > 0) {
      std::memcpy(packed.data() + next[index(part.to)], from, index(part.count));
    }
    from += part.count;
    next[index(part.to)] += part.count;
  }
  return true;
}

Balancer* Balancer::create(const Setup& setup) {
  void* const memory = calloc(1, sizeof(Balancer));
  Balancer* const balancer = memory == nullptr ? nullptr : new (memory) Balancer(setup);
  if (balancer != nullptr && !balancer->init()) {
    destroy(balancer);
    return nullptr;
  }
  return balancer;
}

void Balancer::destroy(Balancer* balancer) {
  if (balancer != nullptr) {
    balancer->~Balancer();
    free(balancer);
  }
}

bool Balancer::init() {
  threads_ = std::max(setup_.threads, 1);
  own_node_ = setup_.node[setup_.rank];
  for (int rank = 0; rank < setup_.ranks; ++rank) {
    node_.push(setup_.node[rank]);
    if (setup_.node[rank] == leaders_.count()) {
      leaders_.push(rank);
    }
    if (setup_.node[rank] == own_node_) {
      local_.push(rank);
    }
  }
  nodes_ = leaders_.count();
  for (int i = 0; i < setup_.numa_count; ++i) {
    numa_.push(setup_.numa[i]);
  }
  setup_.node = nullptr;
  setup_.numa = nullptr;
  return !node_.has_failed && !leaders_.has_failed && !local_.has_failed && !numa_.has_failed;
}

void Balancer::note(Wrong what, Id id, int rank, double value) {
  if (fault_.what == Wrong::kNothing) {
    fault_ = {what, id, rank, value};
  }
}

int Balancer::entry_of(Id id) {
  if (expected_ < entries_.size() && entries_[expected_].id == id) {
    return static_cast<int>(expected_++);
  }
  int at = ids_.find(id);
  if (at < 0) {
    at = entries_.count();
    const int slot = setup_.slots > 0 ? at % setup_.slots : 0;
    if (entries_.push({id, 0, 0, {}, slot, false}) == nullptr || !ids_.add(id, at)) {
      note(Wrong::kMemory, id, -1);
      return -1;
    }
  }
  expected_ = index(at) + 1;
  return at;
}

bool Balancer::load(Id id, double seconds, double bytes) {
  const bool is_amount =
      seconds >= 0 && seconds <= kLargest && bytes >= 0 && bytes <= kLargest;  // false for NaN
  if (!is_amount) {
    note(Wrong::kLoad, id, -1, seconds >= 0 && seconds <= kLargest ? bytes : seconds);
    return false;
  }
  const int at = entry_of(id);
  if (at >= 0) {
    Entry& entry = entries_[index(at)];
    entry.now += seconds;
    entry.bytes = bytes;
    entry.is_given = true;
  }
  return at >= 0;
}

bool Balancer::messages(Id id, Id other, double count) {
  if (!(count >= 0 && count <= kLargest)) {
    note(Wrong::kLoad, id, -1, count);
    return false;
  }
  if (messages_.push({id, other, count, -1, -1}) == nullptr) {
    note(Wrong::kMemory, id, -1);
    return false;
  }
  return true;
}

std::size_t Balancer::size_of(Group group) const {
  return group == Group::kAll    ? index(setup_.ranks)
         : group == Group::kNode ? local_.size()
                                 : index(nodes_);
}

bool Balancer::post(Group group, Stage stage, Exchange& exchange) {
  group_ = group;
  stage_ = stage;
  is_counting_ = true;
  if (!out_.pack(size_of(group)) || !receive_counts_.fill(size_of(group), 0)) {
    note(Wrong::kMemory, 0, -1);
  }
  exchange = {.kind = Exchange::Kind::kCounts,
              .group = group,
              .send_counts = out_.counts.data(),
              .receive_counts = receive_counts_.data()};
  return true;
}

bool Balancer::reduce(Stage stage, Exchange& exchange) {
  numbers_[kRemaining] = remaining_;
  numbers_[kNotRemaining] = -remaining_;
  numbers_[kFault] = static_cast<double>(fault_.what);
  stage_ = stage;
  exchange = {.kind = Exchange::Kind::kReduce, .group = Group::kAll, .numbers = numbers_};
  return true;
}

double Balancer::alpha() const {
  return setup_.per_message > 0 ? setup_.per_message
         : sums_[kMessages] > 0 ? kUsualPart * sums_[kLoad] / sums_[kMessages]
                                : 0;
}

void Balancer::begin(double remaining) {
  remaining_ = remaining;
  moves_.clear();
  error_ = Wrong::kNothing;
  report_ = {};
  stage_ = Stage::kReduced;
  is_counting_ = false;
  has_searched_ = false;
  began_ = -1;
}

// Makes estimates of this step's loads. Objects that were not given are no longer there.
void Balancer::see_loads(double now) {
  std::size_t kept = 0;
  double all = 0;
  double heaviest = 0;
  double bytes = 0;
  for (Entry& entry : entries_) {
    if (entry.is_given) {
      entry.estimate.see(entry.now);
      entry.now = 0;
      entry.is_given = false;
      all += entry.estimate.load;
      bytes += entry.bytes;
      heaviest = std::max(heaviest, entry.estimate.load);
      entries_[kept++] = entry;
    }
  }
  if (kept != entries_.size()) {
    entries_.resize(kept);
    ids_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
      ids_.add(entries_[i].id, static_cast<int>(i));
    }
  }
  expected_ = 0;
  const double off = all > previous_ ? all - previous_ : previous_ - all;
  // The first step has no variation. It rises slowly, and falls fast after a change that stays.
  varies_ =
      steps_ < 2 ? (steps_ == 0 ? 0 : off) : varies_ + (off - varies_) / (off > varies_ ? 4 : 2);
  previous_ = all;
  ++steps_;
  double messages = 0;
  for (const Message& message : messages_) {
    messages += message.count;
  }
  const double per_object = setup_.slots > 0 ? 1 : threads_;
  const double rank_threads = setup_.slots > 0 ? setup_.slots : threads_;
  numbers_[kTime] = setup_.slots > 0 ? heaviest_slot() : all / rank_threads;
  numbers_[kVaries] = varies_ / rank_threads;
  numbers_[kInterval] = ended_ < 0 ? 0 : now - ended_;
  numbers_[kOwnTime] = own_time_;
  numbers_[kHeaviest] = heaviest / per_object;
  numbers_[kLoad] = all;
  numbers_[kCapacity] = rank_threads;
  numbers_[kObjects] = static_cast<double>(kept);
  numbers_[kMessages] = messages;
  numbers_[kBytes] = bytes;
  numbers_[kMoves] = 0;
}

double Balancer::heaviest_slot() const {
  Grow<double> load;
  load.fill(index(setup_.slots), 0);
  for (const Entry& entry : entries_) {
    load[index(entry.slot)] += entry.estimate.load;
  }
  return *std::max_element(load.begin(), load.end());
}

// Each id has a rank that knows where its object is: so the message graph is on no rank alone.
void Balancer::ask() {
  struct Head {
    int own;
    int asked;
  };
  Grow<Head> heads;
  const auto ranks = index(setup_.ranks);
  heads.fill(ranks, Head{});
  const auto home = [&](Id id) { return static_cast<int>(mixed(id) % ranks); };
  for (const Entry& entry : entries_) {
    ++heads[index(home(entry.id))].own;
  }
  for (const Message& message : messages_) {
    ++heads[index(home(message.other))].asked;
  }
  out_.clear();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (heads[rank].own > 0 || heads[rank].asked > 0) {
      out_.put(static_cast<int>(rank), &heads[rank], 1);
    }
  }
  for (const Entry& entry : entries_) {
    out_.put(home(entry.id), &entry.id, 1);
  }
  for (const Message& message : messages_) {
    out_.put(home(message.other), &message.other, 1);
  }
}

// The answer to each id is a rank: of another rank with the same id, or of the object asked for.
void Balancer::answer() {
  Ids known;
  Grow<int> owner;
  out_.clear();
  for (int pass = 0; pass < 2; ++pass) {
    for (int from = 0; from < setup_.ranks; ++from) {
      const char* const begin = received_.data() + receive_offsets_[index(from)];
      Reader reader(begin, begin + receive_counts_[index(from)]);
      if (!reader.has_more()) {
        continue;
      }
      const int own = reader.take<int>();
      const int asked = reader.take<int>();
      for (int i = 0; i < own; ++i) {
        const Id id = reader.take<Id>();
        const int at = known.find(id);
        if (pass == 0 && at < 0) {
          known.add(id, owner.count());
          owner.push(from);
        } else if (pass == 1) {
          const int other = owner[index(at)] == from ? -1 : owner[index(at)];
          out_.put(from, &other, 1);
        }
      }
      for (int i = 0; pass == 1 && i < asked; ++i) {
        const int at = known.find(reader.take<Id>());
        const int rank = at < 0 ? -1 : owner[index(at)];
        out_.put(from, &rank, 1);
      }
    }
  }
}

void Balancer::tell_leader() {
  const auto ranks = index(setup_.ranks);
  const auto home = [&](Id id) { return static_cast<std::size_t>(mixed(id) % ranks); };
  Grow<int> at;
  at.fill(ranks, 0);
  const auto answer_of = [&](Id id) {
    const std::size_t rank = home(id);
    int value = -1;
    std::memcpy(&value, received_.data() + receive_offsets_[rank] + index(at[rank]++) * sizeof(int),
                sizeof(int));
    return value;
  };
  for (const Entry& entry : entries_) {
    const int other = answer_of(entry.id);
    if (other >= 0) {
      note(Wrong::kTwice, entry.id, other);
    }
  }
  for (Message& message : messages_) {
    const int rank = answer_of(message.other);
    message.node = rank < 0 ? -1 : node_[index(rank)];
    message.at = ids_.find(message.id);
    if (rank < 0 || message.at < 0) {
      note(Wrong::kUnknown, rank < 0 ? message.other : message.id, -1);
    }
  }
  std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
    return a.at != b.at ? a.at < b.at : a.other < b.other;
  });
  const RankRecord record{setup_.rank,   threads_,         setup_.slots,
                          numa_.count(), entries_.count(), messages_.count()};
  out_.clear();
  out_.put(0, &record, 1);
  out_.put(0, numa_.data(), numa_.size());
  std::size_t next = 0;
  Grow<EdgeRecord> edges;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    while (next < messages_.size() && messages_[next].at < static_cast<int>(i)) {
      ++next;  // of an object that is not here: a fault
    }
    const std::size_t begin = next;
    for (; next < messages_.size() && messages_[next].at == static_cast<int>(i); ++next) {
      edges.push({messages_[next].other, messages_[next].count, messages_[next].node, 0});
    }
    const ObjectRecord object{entry.id,    entry.estimate.load, entry.bytes,
                              setup_.rank, entry.slot,          static_cast<int>(next - begin),
                              own_node_};
    out_.put(0, &object, 1);
  }
  out_.put(0, edges.data(), edges.size());
  messages_.clear();
}

// A leader's: the loads of its node, and the objects that could move to other nodes.
void Balancer::offer() {
  objects_.clear();
  edges_.clear();
  rank_threads_.clear();
  rank_slots_.clear();
  rank_first_numa_.clear();
  rank_numa_.clear();
  rank_first_numa_.push(0);
  NodeRecord node{};
  for (std::size_t i = 0; i < local_.size(); ++i) {
    const char* const begin = received_.data() + receive_offsets_[i];
    Reader reader(begin, begin + receive_counts_[i]);
    const auto record = reader.take<RankRecord>();
    rank_threads_.push(record.threads);
    rank_slots_.push(record.slots);
    reader.take(rank_numa_, record.numa);
    rank_first_numa_.push(rank_numa_.count());
    reader.take(objects_, record.objects);
    while (reader.has_more()) {
      edges_.push(reader.take<EdgeRecord>());
    }
    node.capacity += record.slots > 0 ? record.slots : record.threads;
  }
  Grow<int> first;
  first.push(0);
  for (const ObjectRecord& object : objects_) {
    node.load += object.load;
    first.push(first[first.size() - 1] + object.edges);
  }
  const double mean = sums_[kLoad] / std::max(sums_[kCapacity], 1.0);
  const double excess = node.load - mean * (1 + worth.target()) * node.capacity;
  Grow<int> chosen;
  if (sums_[kObjects] <= kWhole) {
    chosen.resize(objects_.size());
    std::iota(chosen.begin(), chosen.end(), 0);
  } else if (excess > 0) {
    Grow<double> weight, bytes, messages, cost;
    Grow<int> other, at, order;
    for (const ObjectRecord& object : objects_) {
      weight.push(object.load);
      bytes.push(object.bytes);
      at.push(own_node_);
      order.push(order.count());
    }
    for (const EdgeRecord& edge : edges_) {
      other.push(-1 - std::max(edge.node, 0));
      messages.push(edge.messages);
    }
    cost.resize(objects_.size());
    const Crowd crowd{nodes_,        nullptr,      nullptr,      nullptr,      objects_.count(),
                      weight.data(), bytes.data(), first.data(), other.data(), messages.data()};
    const Prices prices{alpha(), worth.seconds_per_byte() / std::max(worth.remaining(), 1.0),
                        worth.target()};
    sort_by_cost(crowd, prices, at.data(), order.data(), order.count(), cost.data());
    const double most = excess + mean * worth.target() * node.capacity;
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
  node.objects = chosen.count();
  for (const int object : chosen) {
    node.edges += objects_[index(object)].edges;
  }
  out_.clear();
  out_.put(0, &node, 1);
  for (const int object : chosen) {
    out_.put(0, &objects_[index(object)], 1);
  }
  for (const int object : chosen) {
    out_.put(0, edges_.data() + first[index(object)], index(objects_[index(object)].edges));
  }
}

// The root's: the nodes of the objects that were offered.
void Balancer::assign() {
  Grow<ObjectRecord> objects;
  Grow<EdgeRecord> edges;
  Grow<double> load, capacity, weight, bytes, messages;
  Grow<int> first, other, to, edges_of_node;
  Ids known;
  for (int from = 0; from < nodes_; ++from) {
    const char* const begin = received_.data() + receive_offsets_[index(from)];
    Reader reader(begin, begin + receive_counts_[index(from)]);
    const auto node = reader.take<NodeRecord>();
    load.push(node.load);
    capacity.push(node.capacity);
    reader.take(objects, node.objects);
    reader.take(edges, node.edges);
  }
  first.push(0);
  for (const ObjectRecord& object : objects) {
    weight.push(object.load);
    bytes.push(object.bytes);
    to.push(object.to);
    first.push(first[first.size() - 1] + object.edges);
    if (edges.size() > 0) {
      known.add(object.id, to.count() - 1);
    }
  }
  for (const EdgeRecord& edge : edges) {
    const int at = known.find(edge.other);
    other.push(at >= 0 ? at : -1 - std::max(edge.node, 0));
    messages.push(edge.messages);
  }
  const Crowd crowd{nodes_,        capacity.data(), load.data(),  setup_.hops,  objects.count(),
                    weight.data(), bytes.data(),    first.data(), other.data(), messages.data()};
  const Prices prices{alpha(), worth.seconds_per_byte() / std::max(worth.remaining(), 1.0),
                      worth.target()};
  if (assign_to_nodes(crowd, prices, to.data()) < 0) {
    note(Wrong::kMemory, 0, -1);
  }
  out_.clear();
  // A record goes to the object's old node and to its new one; its messages only to the new one.
  for (std::size_t i = 0; i < objects.size(); ++i) {
    ObjectRecord object = objects[i];
    const int from = object.to;
    object.to = to[i];
    if (object.to != from) {
      out_.put(object.to, &object, 1);
      out_.put(object.to, edges.data() + first[i], index(object.edges));
      object.edges = 0;
      out_.put(from, &object, 1);
    }
  }
}

// A leader's: the objects that leave and arrive, and then the ranks of all objects of the node.
void Balancer::take_orders() {
  Ids leaving;
  Grow<double> busy;  // bytes that each rank sends and receives
  busy.fill(local_.size(), 0);
  const auto local_index = [&](int rank) {
    return static_cast<int>(std::find(local_.begin(), local_.end(), rank) - local_.begin());
  };
  const std::size_t before = objects_.size();
  Grow<int> first;
  first.push(0);
  for (const ObjectRecord& object : objects_) {
    first.push(first[first.size() - 1] + object.edges);
  }
  Reader reader(received_.data(), received_.data() + received_.size());
  while (reader.has_more()) {
    auto object = reader.take<ObjectRecord>();
    if (object.to == own_node_) {
      reader.take(edges_, object.edges);
      objects_.push(object);
      first.push(first[first.size() - 1] + object.edges);
    } else {
      leaving.add(object.id, 0);
      busy[index(local_index(object.rank))] += object.bytes;
    }
  }
  Grow<double> load, messages;
  Grow<int> rank, slot, of, edge_first, other;
  Ids here;
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
  const Ranks ranks{static_cast<int>(local_.size()), rank_threads_.data(), rank_slots_.data(),
                    rank_first_numa_.data(),         rank_numa_.data(),    setup_.factor};
  const double time =
      assign_to_ranks(ranks, objects, alpha(), worth.target(), rank.data(), slot.data());
  if (time < 0) {
    note(Wrong::kMemory, 0, -1);
  }
  numbers_[kTime] = time;
  node_moves_.clear();
  for (std::size_t i = 0; i < of.size(); ++i) {
    const ObjectRecord& object = objects_[index(of[i])];
    const int to = local_[index(rank[i])];
    if (to != object.rank || slot[i] != object.slot) {
      node_moves_.push({{object.id, object.rank, to, slot[i]}, object.load});
      numbers_[kMoves] += 1;
      if (to != object.rank) {
        numbers_[kBytes] += object.bytes;
        busy[index(rank[i])] += object.bytes;
        if (static_cast<std::size_t>(of[i]) < before) {  // from a rank of this node
          busy[index(local_index(object.rank))] += object.bytes;
        }
      }
    }
  }
  numbers_[kBusiest] = *std::max_element(busy.begin(), busy.end());
}

void Balancer::tell_ranks() {
  out_.clear();
  for (const Told& told : node_moves_) {
    out_.put(told.move.from, &told, 1);
    if (told.move.from != told.move.to) {
      out_.put(told.move.to, &told, 1);
    }
  }
  node_moves_.clear();
}

void Balancer::take_moves() {
  Reader reader(received_.data(), received_.data() + received_.size());
  while (reader.has_more()) {
    const auto told = reader.take<Told>();
    const Move& move = told.move;
    moves_.push(move);
    if (move.to == setup_.rank) {
      const int at = entry_of(move.id);
      if (at >= 0) {
        entries_[index(at)].slot = move.slot;
      }
      if (at >= 0 && move.from != move.to) {
        entries_[index(at)].estimate = {.load = told.load, .seen = 1};
        previous_ += told.load;
      }
    } else {
      previous_ -= told.load;
    }
  }
  std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.id < b.id; });
  expected_ = 0;
}

bool Balancer::finish(double now) {
  if (has_searched_) {
    own_time_ = now - began_;
  }
  report_.seconds = has_searched_ ? own_time_ : now - began_;
  messages_.clear();
  ended_ = now;
  stage_ = Stage::kDone;
  return false;
}

bool Balancer::next(double now, Exchange& exchange) {
  if (is_counting_) {
    is_counting_ = false;
    const std::size_t ranks = size_of(group_);
    receive_offsets_.fill(ranks + 1, 0);
    std::partial_sum(receive_counts_.begin(), receive_counts_.end(), receive_offsets_.begin() + 1);
    received_.resize(index(receive_offsets_[ranks]));
    exchange = {.kind = Exchange::Kind::kData,
                .group = group_,
                .send = out_.packed.data(),
                .receive = received_.data(),
                .send_counts = out_.counts.data(),
                .receive_counts = receive_counts_.data(),
                .send_offsets = out_.offsets.data(),
                .receive_offsets = receive_offsets_.data()};
    return true;
  }
  switch (stage_) {
    case Stage::kReduced:
      if (began_ < 0) {
        began_ = now;
        if (fault_.what == Wrong::kNothing && !(remaining_ >= 0 && remaining_ <= kLargest)) {
          note(Wrong::kSteps, 0, -1, remaining_);
          remaining_ = 0;
        }
        if (worth.is_silent()) {
          see_loads(now);
          return finish(now);
        }
        see_loads(now);
        return reduce(Stage::kReduced, exchange);
      }
      std::copy(numbers_, numbers_ + kNumbers, sums_);
      if (sums_[kFault] > 0) {
        error_ = static_cast<Wrong>(static_cast<int>(sums_[kFault]));
        return finish(now);
      }
      if (sums_[kRemaining] != -sums_[kNotRemaining]) {
        error_ = Wrong::kSteps;
        note(Wrong::kSteps, 0, -1, remaining_);
        return finish(now);
      }
      if (!worth.may_pay(sums_)) {
        report_.before = report_.after = worth.before();
        report_.mean = worth.mean();
        return finish(now);
      }
      has_searched_ = true;
      ask();
      return post(Group::kAll, Stage::kAsked, exchange);
    case Stage::kAsked:
      answer();
      return post(Group::kAll, Stage::kAnswered, exchange);
    case Stage::kAnswered:
      tell_leader();
      return post(Group::kNode, Stage::kGathered, exchange);
    case Stage::kGathered:
      std::fill(numbers_, numbers_ + kNumbers, 0.0);
      if (!is_leader()) {
        return reduce(Stage::kJudged, exchange);
      }
      offer();
      return post(Group::kLeaders, Stage::kOffered, exchange);
    case Stage::kOffered:
      if (setup_.rank == leaders_[0]) {
        assign();
      } else {
        out_.clear();
      }
      return post(Group::kLeaders, Stage::kOrdered, exchange);
    case Stage::kOrdered:
      take_orders();
      return reduce(Stage::kJudged, exchange);
    case Stage::kJudged:
      report_ = {worth.before(),
                 numbers_[kTime],
                 worth.mean(),
                 numbers_[kBytes],
                 numbers_[kMoves],
                 worth.seconds_per_byte(),
                 0};
      if (numbers_[kFault] > 0) {
        error_ = static_cast<Wrong>(static_cast<int>(numbers_[kFault]));
        return finish(now);
      }
      if (!worth.pays(numbers_)) {
        report_.after = report_.before;
        report_.moves = report_.bytes = 0;
        node_moves_.clear();
        return finish(now);
      }
      tell_ranks();
      return post(Group::kAll, Stage::kTold, exchange);
    case Stage::kTold:
      take_moves();
      return finish(now);
    case Stage::kDone:
      break;
  }
  return false;
}

}  // namespace nestbind::balance::across
