// SPDX-License-Identifier: BSD-3-Clause
#include "cli/probe/crew.hpp"

#include <sched.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "cli/probe/channel.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::cli::probe {

namespace {

// 0, or errno.
int sit_down(int processor) {
  mask::MaskBuffer own{};
  mask::add(own.bits, processor);
  const bool is_taken =
      sched_setaffinity(0, sizeof own.bits, reinterpret_cast<const cpu_set_t*>(own.bits)) == 0;
  return is_taken ? 0 : errno;
}

}  // namespace

Crew::~Crew() {
  is_over_ = true;
  for (auto& [processor, worker] : workers_) {
    worker->turn.fetch_add(1);
    worker->turn.notify_one();
  }
  for (auto& [processor, worker] : workers_) {
    worker->thread.join();
  }
}

Crew::Worker& Crew::worker_on(int processor) {
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

void Crew::live(Worker& worker, int processor) {
  worker.refused = sit_down(processor);
  worker.refused.notify_one();
  for (unsigned turn = 0;; ++turn) {
    worker.turn.wait(turn);
    if (is_over_) {
      return;
    }
    // Nobody begins before the last one is awake.
    awake_.fetch_add(1);
    constexpr double kPatience = 4e6;  // ns; who is asleep again when all are there is of no use
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

void Crew::run(const std::vector<int>& processors, const Work& work) {
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

}  // namespace nestbind::cli::probe
