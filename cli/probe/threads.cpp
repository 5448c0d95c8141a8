// SPDX-License-Identifier: BSD-3-Clause
#include "cli/probe/threads.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <thread>
#include <tuple>
#include <vector>

#include "cli/probe/channel.hpp"
#include "cli/probe/crew.hpp"
#include "cli/probe/node_memory.hpp"

namespace nestbind::cli::probe {

namespace {

using nestbind::probe::Pair;
using nestbind::probe::Subject;
using nestbind::probe::Took;
using nestbind::probe::Work;

// Of several at once. Done: Channel's or NodeMemory's.
template <typename Done>
Took took(const std::vector<Done>& all) {
  Took found;
  for (const Done& done : all) {
    const double each = done.ns / done.count;
    found.ns += each / static_cast<double>(all.size());
    found.slowest = std::max(found.slowest, each);
    found.given_up = found.given_up || done.given_up;
  }
  return found;
}

class Threads : public nestbind::probe::Instrument {
 public:
  explicit Threads(std::size_t bytes) : bytes_(bytes) {}

  double now() override;
  void rest(double seconds) override;

  Took batch(const Subject& subject, int count, double limit) override;

 private:
  Took exchange(const Subject& subject, int count, double limit);
  Took follow(const Subject& subject, int count, double limit);
  Took stream(const Subject& subject, int count, double limit);
  Channel& channel(const Pair& pair, int bytes);
  NodeMemory& memory(int node);

  std::size_t bytes_;
  std::map<std::tuple<int, int, int>, std::unique_ptr<Channel>> channels_;
  std::map<int, std::unique_ptr<NodeMemory>> memories_;
  std::size_t read_to_ = 0;  // blocks
  Crew crew_;                // its threads end first
};

double Threads::now() {
  constexpr double kNsOfSecond = 1e9;
  return clock_ns() / kNsOfSecond;
}

void Threads::rest(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

Took Threads::batch(const Subject& subject, int count, double limit) {
  switch (subject.work) {
    case Work::kReads:
      return follow(subject, count, limit);
    case Work::kStream:
      return stream(subject, count, limit);
    case Work::kRoundTrips:
      break;
  }
  return exchange(subject, count, limit);
}

// Made by the thread that sends first: its pages are on its node, unless the process has a policy.
Channel& Threads::channel(const Pair& pair, int bytes) {
  auto& own = channels_[{pair.first, pair.second, bytes}];
  if (own == nullptr) {
    crew_.run({pair.first}, [&](std::size_t) {
      try {
        own = std::make_unique<Channel>(static_cast<std::size_t>(bytes));
      } catch (const std::bad_alloc&) {
        own = nullptr;
      }
    });
    if (own == nullptr) {
      throw CannotMeasure("no memory");
    }
  }
  return *own;
}

NodeMemory& Threads::memory(int node) {
  auto& own = memories_[node];
  if (own == nullptr) {
    own = std::make_unique<NodeMemory>(node, bytes_);
  }
  return *own;
}

Took Threads::exchange(const Subject& subject, int count, double limit) {
  std::vector<int> processors;
  std::vector<Channel*> channels;
  for (const Pair& pair : subject.pairs) {
    processors.push_back(pair.first);
    processors.push_back(pair.second);
    channels.push_back(&channel(pair, subject.bytes));
    channels.back()->reset();
  }
  std::vector<Channel::Done> all(channels.size());
  crew_.run(processors, [&](std::size_t number) {
    Channel& own = *channels[number / 2];
    if (number % 2 == 0) {
      all[number / 2] = own.call(count, limit);
    } else {
      own.answer(count);
    }
  });
  return took(all);
}

Took Threads::follow(const Subject& subject, int count, double limit) {
  NodeMemory& own = memory(subject.node);
  std::vector<NodeMemory::Done> all(1);
  crew_.run(subject.processors, [&](std::size_t) { all[0] = own.follow(count, limit); });
  return took(all);
}

Took Threads::stream(const Subject& subject, int count, double limit) {
  const NodeMemory& own = memory(subject.node);
  const std::size_t begin = read_to_;
  std::vector<NodeMemory::Done> all(subject.processors.size());
  crew_.run(subject.processors, [&](std::size_t number) {
    all[number] = own.read(begin + number * static_cast<std::size_t>(count), count, limit);
  });
  read_to_ += all.size() * static_cast<std::size_t>(count);
  return took(all);
}

}  // namespace

std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes) {
  return std::make_unique<Threads>(bytes);
}

}  // namespace nestbind::cli::probe
