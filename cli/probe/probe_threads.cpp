// SPDX-License-Identifier: BSD-3-Clause

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <vector>

#include "cli/probe/probe_work.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::cli::probe {

namespace {

int sit_down(int processor) {
  mask::MaskBuffer own{};
  mask::add(own.bits, processor);
  const bool is_taken =
      sched_setaffinity(0, sizeof own.bits, reinterpret_cast<const cpu_set_t*>(own.bits)) == 0;
  return is_taken ? 0 : errno;
}

// Threads that are bound to one processor each, and sleep while they have no work.
class Pool {
 public:
  using Work = std::function<void(std::size_t number)>;

  Pool() = default;

  ~Pool() {
    is_over_ = true;
    for (auto& [processor, worker] : workers_) {
      worker->turn.fetch_add(1);
      worker->turn.notify_one();
    }
    for (auto& [processor, worker] : workers_) {
      worker->thread.join();
    }
  }

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Runs work(0) on the first processor, work(1) on the second, and so on. They begin together when
  // all threads are awake. Returns when all calls end. `work` must not throw. Throws CannotMeasure.
  void run(const std::vector<int>& processors, const Work& work) {
    std::vector<Worker*> taken;
    taken.reserve(processors.size());
    for (const int processor : processors) {
      taken.push_back(&worker_on(processor));
      taken.back()->number = taken.size() - 1;
    }
    work_ = &work;
    wanted_ = taken.size();
    awake_ = 0;
    busy_ = taken.size();
    for (Worker* worker : taken) {
      worker->turn.fetch_add(1);
      worker->turn.notify_one();
    }
    for (std::size_t left = busy_; left > 0; left = busy_) {
      busy_.wait(left);
    }
  }

 private:
  struct Worker {
    std::thread thread;
    std::atomic<unsigned> turn{0};
    std::atomic<int> refused{-1};  // 0 or errno of the binding; -1 if not tried yet
    std::size_t number = 0;
  };

  Worker& worker_on(int processor) {
    auto& worker = workers_[processor];
    if (worker == nullptr) {
      auto made = std::make_unique<Worker>();
      try {
        made->thread = std::thread([this, processor, own = made.get()] { live(*own, processor); });
      } catch (const std::system_error& fault) {
        workers_.erase(processor);
        throw CannotMeasure(std::string("cannot start a thread: ") + fault.what());
      }
      worker = std::move(made);
      worker->refused.wait(-1);
    }
    if (const int error = worker->refused; error != 0) {
      throw CannotMeasure("processor " + std::to_string(processor) +
                          " cannot be used: " + std::strerror(error));
    }
    return *worker;
  }

  void live(Worker& worker, int processor) {
    worker.refused = sit_down(processor);
    worker.refused.notify_one();
    for (unsigned turn = 0;; ++turn) {
      worker.turn.wait(turn);
      if (is_over_) {
        return;
      }
      awake_.fetch_add(1);
      constexpr double kPatience = 4e6;  // ns; after it waiting threads yield their processor
      const double began = clock_ns();
      while (awake_.load(std::memory_order_acquire) < wanted_) {
        if (clock_ns() - began > kPatience) {
          sched_yield();
        }
      }
      (*work_)(worker.number);
      if (busy_.fetch_sub(1) == 1) {
        busy_.notify_one();
      }
    }
  }

  std::map<int, std::unique_ptr<Worker>> workers_;
  const Work* work_ = nullptr;
  std::atomic<std::size_t> awake_{0};
  std::atomic<std::size_t> busy_{0};
  std::size_t wanted_ = 0;
  std::atomic<bool> is_over_{false};
};

using nestbind::probe::Pair;
using nestbind::probe::Subject;
using nestbind::probe::Took;
using nestbind::probe::Work;

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

  double now() override {
    constexpr double kNsOfSecond = 1e9;
    return clock_ns() / kNsOfSecond;
  }

  void rest(double seconds) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }

  Took batch(const Subject& subject, int count, double limit) override {
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

 private:
  Took exchange(const Subject& subject, int count, double limit) {
    std::vector<int> processors;
    std::vector<Channel*> channels;
    for (const Pair& pair : subject.pairs) {
      processors.push_back(pair.first);
      processors.push_back(pair.second);
      channels.push_back(&channel(pair, subject.bytes));
      channels.back()->reset();
    }
    std::vector<Done> all(channels.size());
    pool_.run(processors, [&](std::size_t number) {
      Channel& own = *channels[number / 2];
      if (number % 2 == 0) {
        all[number / 2] = own.call(count, limit);
      } else {
        own.answer(count);
      }
    });
    return took(all);
  }

  Took follow(const Subject& subject, int count, double limit) {
    NodeMemory& own = memory(subject.node);
    std::vector<Done> all(1);
    pool_.run(subject.processors, [&](std::size_t) { all[0] = own.follow(count, limit); });
    return took(all);
  }

  Took stream(const Subject& subject, int count, double limit) {
    const NodeMemory& own = memory(subject.node);
    const std::size_t begin = read_to_;
    std::vector<Done> all(subject.processors.size());
    pool_.run(subject.processors, [&](std::size_t number) {
      all[number] = own.read(begin + number * static_cast<std::size_t>(count), count, limit);
    });
    read_to_ += all.size() * static_cast<std::size_t>(count);
    return took(all);
  }

  // The first sender makes the channel, because the first touch selects the node.
  Channel& channel(const Pair& pair, int bytes) {
    auto& own = channels_[{pair.first, pair.second, bytes}];
    if (own == nullptr) {
      pool_.run({pair.first}, [&](std::size_t) {
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

  NodeMemory& memory(int node) {
    auto& own = memories_[node];
    if (own == nullptr) {
      own = std::make_unique<NodeMemory>(node, bytes_);
    }
    return *own;
  }

  std::size_t bytes_;
  std::map<std::tuple<int, int, int>, std::unique_ptr<Channel>> channels_;
  std::map<int, std::unique_ptr<NodeMemory>> memories_;
  std::size_t read_to_ = 0;
  Pool pool_;  // declared last, so that its threads end first
};

}  // namespace

std::unique_ptr<nestbind::probe::Instrument> make_threads(std::size_t bytes) {
  return std::make_unique<Threads>(bytes);
}

}  // namespace nestbind::cli::probe
