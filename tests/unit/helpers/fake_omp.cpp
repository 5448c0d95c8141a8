// SPDX-License-Identifier: BSD-3-Clause
#include "helpers/fake_omp.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace fake {

namespace {

thread_local Thread t_self[kRuntimes];

template <int R>
const Step* step(int level) {
  const auto& path = t_self[R].path;
  return level >= 1 && level <= static_cast<int>(path.size()) ? &path[level - 1] : nullptr;
}

template <int R>
int level() {
  return static_cast<int>(t_self[R].path.size());
}

template <int R>
constexpr nestbind::omp::Calls kCalls = {
    [] { return t_self[R].path.empty() ? 0 : t_self[R].path.back().number; },
    [] { return t_self[R].path.empty() ? 1 : t_self[R].path.back().size; },
    [] { return t_self[R].next_size; },
    [] { return level<R>(); },
    [](int at) { return step<R>(at) != nullptr ? step<R>(at)->number
                        : at == 0              ? 0
                                               : -1; },
    [](int at) { return step<R>(at) != nullptr ? step<R>(at)->size
                        : at == 0              ? 1
                                               : -1; },
    [] { return t_self[R].max_active_levels; },
    [](int size) { t_self[R].next_size = size; },
    [](int levels) { t_self[R].max_active_levels = levels; }};

class Worker {
 public:
  Worker() {
    std::thread([this] { serve(); }).detach();
  }

  void give(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    has_work_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !has_work_; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return has_work_; });
      lock.unlock();
      work_();
      lock.lock();
      has_work_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool has_work_ = false;
};

// The thread that has waited longest comes first.
class Pool {
 public:
  Worker* take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      return new Worker;
    }
    Worker* worker = idle_.front();
    idle_.erase(idle_.begin());
    return worker;
  }
  void give_back(Worker* worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(worker);
  }

 private:
  std::mutex mutex_;
  std::vector<Worker*> idle_;
};

Pool& pool() {
  static Pool& pool = *new Pool;  // never destroyed: its threads still use it
  return pool;
}

int active_levels(const Thread& thread) {
  int active = 0;
  for (const Step& step : thread.path) {
    active += step.size > 1 ? 1 : 0;
  }
  return active;
}

}  // namespace

const nestbind::omp::Calls& calls(int runtime) {
  static constexpr const nestbind::omp::Calls* kAll[kRuntimes] = {&kCalls<0>, &kCalls<1>,
                                                                  &kCalls<2>};
  return *kAll[runtime];
}

Thread& self(int runtime) { return t_self[runtime]; }

void run_team(int runtime, Members members, int size, const Member& member) {
  const Thread encountering = self(runtime);
  if (size == 0) {
    size = encountering.next_size;
  }
  if (active_levels(encountering) >= encountering.max_active_levels) {
    size = 1;
  }
  const auto run = [&](int number) {
    Thread& here = self(runtime);
    const Thread before = here;
    here = encountering;
    here.path.push_back({number, size});
    member(number, size);
    here = before;
  };
  std::vector<std::thread> created;
  std::vector<Worker*> kept;
  for (int number = 1; number < size; ++number) {
    if (members == Members::kNew) {
      created.emplace_back(run, number);
    } else {
      kept.push_back(pool().take());
      kept.back()->give([&run, number] { run(number); });
    }
  }
  run(0);
  for (std::thread& thread : created) {
    thread.join();
  }
  for (Worker* worker : kept) {
    worker->wait();
    pool().give_back(worker);
  }
}

void on_new_thread(const std::function<void()>& work) { std::thread(work).join(); }

}  // namespace fake
