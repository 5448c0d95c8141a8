// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/balancer.hpp"

#include <algorithm>
#include <new>

#include "balance/objects.hpp"  // kLargest

namespace nestbind::balance::across {

namespace {

constexpr double kUsualPart = 0.05;  // of the loads: the cost of all messages together

bool is_amount(double number) { return number >= 0 && number <= kLargest; }  // false for NaN

}  // namespace

Balancer* Balancer::create(const Setup& setup, RankFault& fault) {
  void* const memory = calloc(1, sizeof(Balancer));
  Balancer* const balancer = memory == nullptr ? nullptr : new (memory) Balancer(setup);
  if (balancer == nullptr) {
    fault.what = Wrong::kMemory;
    return nullptr;
  }
  balancer->guarded([&] { balancer->init(); });
  balancer->call_.clear();
  fault = balancer->take_fault();
  if (fault.what != Wrong::kNothing) {
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

// Lack of memory leads back here from all of `work`.
template <typename Work>
bool Balancer::guarded(Work work) {
  if (setjmp(no_memory_) != 0) {  // NOLINT(cert-err52-cpp): nothing in `work` has a destructor
    note(Wrong::kMemory, 0, -1);
    return false;
  }
  work();
  return true;
}

void Balancer::init() {
  mail_.open(index(setup_.ranks));
  slot_loads_.fill(index(setup_.slots), 0);
  numa_.append(setup_.numa, index(setup_.numa_count));
  job_.factor = setup_.factor;
  Ids numbers(call_);
  for (int rank = 0; rank < setup_.ranks; ++rank) {
    int node = numbers.find(setup_.node[rank]);
    if (node < 0) {
      node = job_.leaders.count();
      numbers.add(setup_.node[rank], node);
      job_.leaders.push(rank);
    }
    job_.node.push(node);
    if (setup_.node[rank] == setup_.node[setup_.rank]) {
      job_.local.push(rank);
    }
  }
  job_.own_node = job_.node[index(setup_.rank)];
  if (setup_.rank != 0 || setup_.hops == nullptr) {
    return;
  }
  for (const int from : job_.leaders) {
    for (const int to : job_.leaders) {
      const double hops = from == to ? 0 : setup_.hops(setup_.comm, from, to);
      if (!is_amount(hops)) {
        note(Wrong::kHops, from, to, hops);
      }
      job_.hops.push(hops);
    }
  }
}

void Balancer::note(Wrong what, Id id, int rank, double value) {
  if (fault_.what == Wrong::kNothing) {
    fault_ = {what, id, rank, value};
  }
}

Balancer::Entry& Balancer::entry_of(Id id) {
  int at = ids_.find(id);
  if (at < 0) {
    at = entries_.count();
    entries_.push({id, 0, 0, {}, setup_.slots > 0 ? at % setup_.slots : 0, false});
    ids_.add(id, at);
  }
  return entries_[index(at)];
}

bool Balancer::load(Id id, double seconds, double bytes) {
  if (!is_amount(seconds) || !is_amount(bytes)) {
    note(Wrong::kLoad, id, -1, is_amount(seconds) ? bytes : seconds);
    return false;
  }
  return guarded([&] {
    Entry& entry = entry_of(id);
    entry.now += seconds;
    entry.bytes = bytes;
    entry.is_given = true;
  });
}

bool Balancer::messages(Id id, Id other, double count) {
  if (!is_amount(count)) {
    note(Wrong::kLoad, id, -1, count);
    return false;
  }
  return guarded([&] { messages_.push({id, -1, {other, count, -1, -1}}); });
}

// The only place where ranks learn of each other's faults: then all of them end the call.
bool Balancer::reduce() {
  numbers_[kRemaining] = remaining_;
  numbers_[kNotRemaining] = -remaining_;
  numbers_[kFault] = static_cast<double>(fault_.what);
  if (setup_.reduce(setup_.comm, numbers_, kMaxima, numbers_ + kMaxima, kNumbers - kMaxima) != 0) {
    return has_failed();
  }
  error_ = static_cast<Wrong>(static_cast<int>(numbers_[kFault]));
  return error_ == Wrong::kNothing;
}

// In the first call: the choices of rank 0 count in all ranks, because a launcher may give a
// variable to some ranks only. Ranks with different choices would wait for each other.
bool Balancer::agree() {
  const bool is_root = setup_.rank == 0;
  double choices[] = {is_root ? static_cast<double>(worth.mode) : 0,
                      is_root ? static_cast<double>(worth.every) : 0,
                      is_root ? worth.tolerance : 0};
  if (setup_.reduce(setup_.comm, choices, 3, choices + 3, 0) != 0) {
    return has_failed();
  }
  worth.mode = static_cast<Mode>(static_cast<int>(choices[0]));
  worth.every = static_cast<int>(choices[1]);
  worth.tolerance = choices[2];
  has_agreed_ = true;
  return true;
}

bool Balancer::has_failed() {
  note(Wrong::kExchange, 0, -1);
  error_ = Wrong::kExchange;
  return false;
}

// Sends what `fill` puts into the mail, if no rank has found a fault until then. A rank without
// memory sends nothing, but takes part.
template <typename Fill>
bool Balancer::exchange(Fill fill) {
  std::fill(numbers_, numbers_ + kNumbers, 0.0);
  mail_.clear();
  const auto pack = [&] {
    fill();
    mail_.pack();
  };
  if (!guarded(pack)) {
    mail_.clear();
  }
  if (setup_.counts(setup_.comm, mail_.send_counts.data(), mail_.receive_counts.data()) != 0) {
    return has_failed();
  }
  if (!mail_.make_room()) {
    note(Wrong::kMemory, 0, -1);
  }
  return reduce() && (setup_.data(setup_.comm, mail_.packed(), mail_.send_counts.data(),
                                  mail_.send_offsets.data(), mail_.received(),
                                  mail_.receive_counts.data(), mail_.receive_offsets.data()) == 0 ||
                      has_failed());
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

// Makes estimates of this step's loads. Objects that were not given are no longer there.
void Balancer::see_loads(double now) {
  std::size_t kept = 0;
  double all = 0;
  double heaviest = 0;
  double bytes = 0;
  slot_loads_.fill(slot_loads_.size(), 0);
  for (Entry& entry : entries_) {
    if (entry.is_given) {
      entry.estimate.see(entry.now);
      entry.now = 0;
      entry.is_given = false;
      all += entry.estimate.load;
      bytes += entry.bytes;
      heaviest = std::max(heaviest, entry.estimate.load);
      if (setup_.slots > 0) {
        slot_loads_[index(entry.slot)] += entry.estimate.load;
      }
      entries_[kept++] = entry;
    }
  }
  if (kept != entries_.size()) {
    entries_.set_size(kept);
    ids_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
      ids_.add(entries_[i].id, static_cast<int>(i));  // there is room
    }
  }
  const double off = all > previous_ ? all - previous_ : previous_ - all;
  // The first step has no variation. It rises slowly, and falls fast after a change that stays.
  varies_ =
      steps_ < 2 ? (steps_ == 0 ? 0 : off) : varies_ + (off - varies_) / (off > varies_ ? 4 : 2);
  previous_ = all;
  ++steps_;
  double messages = 0;
  for (const Message& message : messages_) {
    messages += message.edge.messages;
  }
  const double per_object = setup_.slots > 0 ? 1 : threads_;
  const double rank_threads = setup_.slots > 0 ? setup_.slots : threads_;
  numbers_[kTime] = setup_.slots > 0 ? *std::max_element(slot_loads_.begin(), slot_loads_.end())
                                     : all / rank_threads;
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

// Each id has a rank that knows where its object is: so the message graph is on no rank alone.
void Balancer::ask() {
  const auto put = [&](Id id, char is_own) {
    mail_.put(home(id), &id, 1);
    mail_.put(home(id), &is_own, 1);
  };
  for (const Entry& entry : entries_) {
    put(entry.id, 1);
  }
  for (const Message& message : messages_) {
    put(message.edge.other, 0);
  }
}

// The answer to each id is the rank that has the object, or the first of them; -1: none.
void Balancer::answer() {
  Ids owner(call_);
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
  List<Reader> answers(call_);
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
    const int rank = answer_of(message.edge.other);
    message.at = ids_.find(message.id);
    if (rank < 0 || message.at < 0) {
      note(Wrong::kUnknown, rank < 0 ? message.edge.other : message.id, -1);
      return;
    }
    message.edge.place = job_.node[index(rank)];
  }
  std::sort(messages_.begin(), messages_.end(), [](const Message& a, const Message& b) {
    return a.at != b.at ? a.at < b.at : a.edge.other < b.edge.other;
  });
  const int leader = job_.local[0];
  const RankRecord record{threads_, setup_.slots, numa_.count(), entries_.count()};
  mail_.put(leader, &record, 1);
  mail_.put(leader, numa_.data(), numa_.size());
  const Message* next = messages_.begin();
  for (int i = 0; i < entries_.count(); ++i) {
    const Entry& entry = entries_[index(i)];
    const Message* const begin = next;
    while (next != messages_.end() && next->at == i) {
      ++next;
    }
    const Object object{
        entry.id,   entry.estimate.load, entry.bytes, setup_.rank,
        entry.slot, job_.own_node,       0,           static_cast<int>(next - begin),
        0};
    mail_.put(leader, &object, 1);
  }
  for (const Message& message : messages_) {
    mail_.put(leader, &message.edge, 1);
  }
}

void Balancer::take_moves() {
  for (Reader reader = mail_.all_received(); reader.has_more();) {
    const auto told = reader.take<MoveRecord>();
    const Move& move = told.move;
    moves_.push(move);
    if (move.to == setup_.rank) {
      Entry& entry = entry_of(move.id);
      entry.slot = move.slot;
      if (move.from != move.to) {
        entry.estimate = {.load = told.load, .seen = 1};
        previous_ += told.load;
      }
    } else {
      previous_ -= told.load;
    }
  }
  std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.id < b.id; });
}

bool Balancer::is_worth() {
  const bool pays = worth.pays(numbers_);
  report_ = {worth.before(),
             pays ? numbers_[kTime] : worth.before(),
             worth.mean(),
             pays ? numbers_[kMoves] : 0,
             pays ? numbers_[kBytes] : 0,
             worth.seconds_per_byte(),
             0};
  return pays;
}

// Returns true if objects are to move, with the moves in the mail. All ranks find the same.
bool Balancer::search() {
  Stages stages(call_, job_);
  const bool is_leader = job_.local[0] == setup_.rank;
  return exchange([&] { ask(); }) && exchange([&] { answer(); }) &&
         exchange([&] { tell_leader(); }) &&
         exchange([&] { is_leader ? stages.offer(aim(), mail_) : void(); }) &&
         exchange([&] { setup_.rank == 0 ? stages.assign(aim(), mail_) : void(); }) &&
         exchange([&] { is_leader ? stages.take_orders(aim(), mail_, numbers_) : void(); }) &&
         is_worth();
}

void Balancer::balance(double remaining) {
  const double began = setup_.now(setup_.comm);
  bool has_searched = false;
  moves_.set_size(0);
  report_ = {};
  error_ = Wrong::kNothing;
  remaining_ = remaining;
  if (!is_amount(remaining)) {
    note(Wrong::kSteps, 0, -1, remaining);
    remaining_ = 0;
  }
  see_loads(began);
  if ((has_agreed_ || agree()) && !worth.is_silent() && reduce()) {
    std::copy(numbers_, numbers_ + kNumbers, sums_);
    if (sums_[kRemaining] != -sums_[kNotRemaining]) {
      error_ = Wrong::kSteps;
      note(Wrong::kSteps, 0, -1, remaining_);
    } else if (worth.may_pay(sums_)) {
      has_searched = true;
      if (search()) {
        // A rank that has no memory for its moves keeps all ranks from moving.
        guarded([&] { take_moves(); });
        moves_.set_size(reduce() ? moves_.size() : 0);
      }
    } else {
      report_.before = report_.after = worth.before();
      report_.mean = worth.mean();
    }
  }
  messages_.set_size(0);
  call_.clear();
  ended_ = setup_.now(setup_.comm);
  report_.seconds = ended_ - began;
  own_time_ = has_searched ? report_.seconds : own_time_;
}

}  // namespace nestbind::balance::across
