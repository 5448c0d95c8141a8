// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/balancer.hpp"

#include <algorithm>
#include <new>

#include "balance/objects.hpp"  // kLargest

namespace nestbind::balance::across {

namespace {

constexpr double kUsualPart = 0.05;  // of the loads: the cost of all messages together

}  // namespace

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
  stages_.own_node = setup_.node[setup_.rank];
  stages_.hops = setup_.hops;
  stages_.factor = setup_.factor;
  for (int rank = 0; rank < setup_.ranks; ++rank) {
    node_.push(setup_.node[rank]);
    stages_.nodes = std::max(stages_.nodes, setup_.node[rank] + 1);
    if (setup_.node[rank] == stages_.own_node) {
      stages_.local.push(rank);
    }
  }
  for (int i = 0; i < setup_.numa_count; ++i) {
    numa_.push(setup_.numa[i]);
  }
  return !node_.has_failed && !stages_.local.has_failed && !numa_.has_failed;
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

bool Balancer::post(nestbind_across_group group, Stage stage, Exchange& exchange) {
  const std::size_t ranks = group == NESTBIND_ACROSS_ALL    ? index(setup_.ranks)
                            : group == NESTBIND_ACROSS_NODE ? stages_.local.size()
                                                            : index(stages_.nodes);
  stage_ = stage;
  is_counting_ = true;
  if (!mail_.send_counts(group, ranks, exchange)) {
    note(Wrong::kMemory, 0, -1);
  }
  return true;
}

bool Balancer::reduce(Stage stage, Exchange& exchange) {
  numbers_[kRemaining] = remaining_;
  numbers_[kNotRemaining] = -remaining_;
  numbers_[kFault] = static_cast<double>(fault_.what);
  stage_ = stage;
  exchange = {};
  exchange.kind = NESTBIND_ACROSS_REDUCE;
  exchange.numbers = numbers_;
  return true;
}

Aim Balancer::aim() const {
  const double per_message = setup_.message_seconds > 0 ? setup_.message_seconds
                             : sums_[kMessages] > 0 ? kUsualPart * sums_[kLoad] / sums_[kMessages]
                                                    : 0;
  return {
      {per_message, worth.seconds_per_byte() / std::max(worth.remaining(), 1.0), worth.target()},
      sums_[kLoad] / std::max(sums_[kCapacity], 1.0),
      sums_[kObjects] <= kWhole};
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

bool Balancer::has_fault(const double* numbers) {
  error_ = static_cast<Wrong>(static_cast<int>(numbers[kFault]));
  return error_ != Wrong::kNothing;
}

double Balancer::heaviest_slot() const {
  Grow<double> load;
  load.fill(index(setup_.slots), 0);
  for (const Entry& entry : entries_) {
    load[index(entry.slot)] += entry.estimate.load;
  }
  return *std::max_element(load.begin(), load.end());
}

int Balancer::home(Id id) const { return static_cast<int>(mixed(id) % index(setup_.ranks)); }

// Each id has a rank that knows where its object is: so the message graph is on no rank alone.
void Balancer::ask() {
  const auto put = [&](Id id, char is_own) {
    mail_.put(home(id), &id, 1);
    mail_.put(home(id), &is_own, 1);
  };
  mail_.clear();
  for (const Entry& entry : entries_) {
    put(entry.id, 1);
  }
  for (const Message& message : messages_) {
    put(message.other, 0);
  }
}

// The answer to each id is the rank that has the object, or the first of them; -1: none.
void Balancer::answer() {
  Ids owner;
  mail_.clear();
  for (const bool is_first_pass : {true, false}) {
    for (int from = 0; from < setup_.ranks; ++from) {
      for (Reader reader = mail_.received_from(from); reader.has_more();) {
        const Id id = reader.take<Id>();
        const bool is_own = reader.take<char>() != 0;
        const int rank = owner.find(id);
        if (!is_first_pass) {
          mail_.put(from, &rank, 1);
        } else if (is_own && rank < 0) {
          owner.add(id, from);
        }
      }
    }
  }
}

void Balancer::tell_leader() {
  Grow<Reader> answers;
  for (int rank = 0; rank < setup_.ranks; ++rank) {
    answers.push(mail_.received_from(rank));
  }
  const auto answer_of = [&](Id id) { return answers[index(home(id))].take<int>(); };
  for (const Entry& entry : entries_) {
    const int owner = answer_of(entry.id);
    if (owner != setup_.rank) {
      note(Wrong::kTwice, entry.id, owner);
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
  const RankRecord record{threads_, setup_.slots, numa_.count(), entries_.count()};
  mail_.clear();
  mail_.put(0, &record, 1);
  mail_.put(0, numa_.data(), numa_.size());
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
    const ObjectRecord object{entry.id,        entry.estimate.load, entry.bytes,
                              setup_.rank,     entry.slot,          static_cast<int>(next - begin),
                              stages_.own_node};
    mail_.put(0, &object, 1);
  }
  mail_.put(0, edges.data(), edges.size());
  messages_.clear();
}

void Balancer::take_orders() {
  const Outcome outcome = stages_.take_orders(aim(), mail_);
  if (outcome.time < 0) {
    note(Wrong::kMemory, 0, -1);
  }
  numbers_[kTime] = outcome.time;
  numbers_[kMoves] = outcome.moves;
  numbers_[kBytes] = outcome.bytes;
  numbers_[kBusiest] = outcome.busiest;
}

void Balancer::take_moves() {
  for (Reader reader = mail_.received(); reader.has_more();) {
    const auto told = reader.take<MoveRecord>();
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
    if (!mail_.send_data(exchange)) {
      note(Wrong::kMemory, 0, -1);
    }
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
        see_loads(now);
        return worth.is_silent() ? finish(now) : reduce(Stage::kReduced, exchange);
      }
      std::copy(numbers_, numbers_ + kNumbers, sums_);
      if (has_fault(sums_)) {
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
      return post(NESTBIND_ACROSS_ALL, Stage::kAsked, exchange);
    case Stage::kAsked:
      answer();
      return post(NESTBIND_ACROSS_ALL, Stage::kAnswered, exchange);
    case Stage::kAnswered:
      tell_leader();
      return post(NESTBIND_ACROSS_NODE, Stage::kGathered, exchange);
    case Stage::kGathered:
      std::fill(numbers_, numbers_ + kNumbers, 0.0);
      if (stages_.local[0] != setup_.rank) {
        return reduce(Stage::kJudged, exchange);
      }
      stages_.offer(aim(), mail_);
      return post(NESTBIND_ACROSS_LEADERS, Stage::kOffered, exchange);
    case Stage::kOffered:
      if (setup_.rank != 0) {
        mail_.clear();
      } else if (!stages_.assign(aim(), mail_)) {
        note(Wrong::kMemory, 0, -1);
      }
      return post(NESTBIND_ACROSS_LEADERS, Stage::kOrdered, exchange);
    case Stage::kOrdered:
      take_orders();
      return reduce(Stage::kJudged, exchange);
    case Stage::kJudged:
      report_ = {worth.before(),
                 numbers_[kTime],
                 worth.mean(),
                 numbers_[kMoves],
                 numbers_[kBytes],
                 worth.seconds_per_byte(),
                 0};
      if (has_fault(numbers_)) {
        return finish(now);
      }
      if (!worth.pays(numbers_)) {
        report_.after = report_.before;
        report_.moves = report_.bytes = 0;
        stages_.forget_moves();
        return finish(now);
      }
      stages_.tell_ranks(mail_);
      return post(NESTBIND_ACROSS_ALL, Stage::kTold, exchange);
    case Stage::kTold:
      take_moves();
      return finish(now);
    case Stage::kDone:
      break;
  }
  return false;
}

}  // namespace nestbind::balance::across
