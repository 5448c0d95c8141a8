// SPDX-License-Identifier: BSD-3-Clause
// Threads that sit on one processor each, and sleep while they have nothing to do.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace nestbind::cli::probe {

// A processor that this process may not use, or no thread; what() says which.
struct CannotMeasure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Crew {
 public:
  using Work = std::function<void(std::size_t number)>;

  Crew() = default;
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // work(0) on the first of these processors, work(1) on the second, ..., all at the same time:
  // each begins when all are awake. Returns when all have ended. work throws nothing. Throws
  // CannotMeasure.
  void run(const std::vector<int>& processors, const Work& work);

 private:
  struct Worker {
    std::thread thread;
    std::atomic<unsigned> turn{0};  // one more for each work, and at the end
    std::atomic<int> refused{-1};   // errno, once it has tried to sit down; -1: not yet
    std::size_t number = 0;
  };

  Worker& worker_on(int processor);
  void live(Worker& worker, int processor);

  std::map<int, std::unique_ptr<Worker>> workers_;
  const Work* work_ = nullptr;
  std::atomic<std::size_t> awake_{0};
  std::atomic<std::size_t> busy_{0};
  std::size_t wanted_ = 0;
  std::atomic<bool> is_over_{false};
};

}  // namespace nestbind::cli::probe
