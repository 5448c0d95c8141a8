// SPDX-License-Identifier: BSD-3-Clause
// Tests waiting workers: signals, limits of threads, and unloaded libraries.
#include "workers/idle.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>

#include "masters.hpp"
#include "workers/census.hpp"
#include "workers/ending.hpp"
#include "workers/leaving.hpp"
#include "workers/quiet.hpp"

using namespace nestbind::workers;

namespace {

// Returns the mask of the thread's blocked signals. Bit 0 is signal 1.
unsigned long blocked_of(int thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  std::string word;
  while (status >> word) {
    if (word == "SigBlk:") {
      status >> word;
      return std::stoul(word, nullptr, 16);
    }
  }
  return 0;
}

// All signals except SIGKILL, SIGSTOP and the two signals of the C library.
constexpr unsigned long kAll = ~(1UL << 8 | 1UL << 18 | 1UL << 31 | 1UL << 32);

void block(int signal, int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  note_mask_change();
  pthread_sigmask(how, &set, nullptr);
}

struct Seen {
  int thread = 0;
  unsigned long blocked = 0;
};
Seen fork_two() {
  Seen seen;
  fake::fork_team(1, 2, [&](int number) {
    if (number == 1) {
      seen = {gettid(), blocked_of(gettid())};
    }
  });
  return seen;
}

const Terms kAsleepAtOnce{64, 0};
const Terms kSpinsOn{64, kSpinning, 5, true};

class WaitingPrimaries {
 public:
  explicit WaitingPrimaries(int count) {
    for (int i = 0; i < count; ++i) {
      primaries_.emplace_back([this] {
        fork_two();
        ++ready_;
        while (!is_over_) {
          usleep(1000);
        }
        fork_two();
      });
    }
    REQUIRE(comes_true([&] { return ready_ == count; }));
  }
  ~WaitingPrimaries() {
    is_over_ = true;
    for (std::thread& primary : primaries_) {
      primary.join();
    }
    CHECK(comes_true([] { return kept_workers() == 0; }));
  }

 private:
  std::atomic<int> ready_{0};
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> primaries_;
};

class Key {
 public:
  explicit Key(void (*destructor)(void*)) { REQUIRE(pthread_key_create(&key_, destructor) == 0); }
  ~Key() { pthread_key_delete(key_); }
  void set() const { pthread_setspecific(key_, this); }

 private:
  pthread_key_t key_{};
};

std::atomic<int> g_destroyed{0};
void count_destroyed(void*) { ++g_destroyed; }

}  // namespace

TEST_CASE("a waiting worker blocks all signals after its primary thread changes its mask") {
  keep_workers(GENERATE(kAsleepAtOnce, kSpinsOn));
  on_primary([] {
    const Seen first = fork_two();
    block(SIGUSR1, SIG_BLOCK);
    CHECK((blocked_of(first.thread) | ~kAll) == ~0UL);
    const Seen second = fork_two();
    CHECK(second.thread != first.thread);
    CHECK(second.blocked == blocked_of(gettid()));
    block(SIGUSR1, SIG_UNBLOCK);
  });
}

TEST_CASE("a worker that has waited for a moment blocks all signals") {
  keep_workers(GENERATE(kAsleepAtOnce, kSpinsOn));
  on_primary([] {
    const Seen first = fork_two();
    CHECK(comes_true([&] { return (blocked_of(first.thread) | ~kAll) == ~0UL; }));
    const Seen second = fork_two();
    CHECK(second.thread == first.thread);
    CHECK(second.blocked == blocked_of(gettid()));
  });
}

TEST_CASE("a waiting worker blocks signals, and has its primary thread's mask in a region") {
  keep_workers(GENERATE(kAsleepAtOnce, kSpinsOn));
  on_primary([] {
    block(SIGUSR2, SIG_BLOCK);
    const Seen first = fork_two();
    CHECK(first.blocked == blocked_of(gettid()));
    CHECK(comes_true([&] {
      std::thread([] { block(SIGUSR1, SIG_BLOCK); }).join();
      return (blocked_of(first.thread) | ~kAll) == ~0UL;
    }));
    for (int round = 0; round < 3; ++round) {
      const Seen again = fork_two();
      CHECK(again.thread == first.thread);
      CHECK(again.blocked == first.blocked);
    }
    block(SIGUSR2, SIG_UNBLOCK);
  });
}

TEST_CASE("a change of masks inside a region applies after the region") {
  keep_workers(kSpinsOn);
  on_primary([] {
    int worker = 0;
    fake::fork_team(1, 2, [&](int number) {
      if (number == 1) {
        worker = gettid();
      } else {
        block(SIGUSR1, SIG_BLOCK);
      }
    });
    CHECK(comes_true([&] { return (blocked_of(worker) | ~kAll) == ~0UL; }));
    block(SIGUSR1, SIG_UNBLOCK);
  });
}

TEST_CASE("waiting workers of any primary thread end to make room") {
  keep_workers(GENERATE(kAsleepAtOnce, kSpinsOn));
  const WaitingPrimaries primaries(3);
  CHECK(kept_workers() == 3);
  int tries = 0;
  const int result = with_room(
      [&] {
        ++tries;
        return kept_workers() > 0 ? EAGAIN : 0;
      },
      kReturnsError);
  CHECK(result == 0);
  CHECK(tries > 1);
  CHECK(kept_workers() == 0);
}

TEST_CASE("workers in a region do not end to make room") {
  keep_workers(kSpinsOn);
  on_primary([] {
    const int first = fork_two().thread;
    CHECK(comes_true([&] { return kept_workers() == 1; }));
    int second = 0;
    fake::fork_team(1, 2, [&](int number) {
      if (number == 1) {
        second = gettid();
      } else {
        CHECK(with_room([] { return EAGAIN; }, kReturnsError) == EAGAIN);
      }
    });
    CHECK(second == first);
    CHECK(fork_two().thread == first);
  });
}

TEST_CASE("destructors of waiting workers run before a library is closed") {
  keep_workers(GENERATE(kAsleepAtOnce, kSpinsOn));
  g_destroyed = 0;
  const Key key(count_destroyed);
  on_primary([&] {
    fake::fork_team(1, 4, [&](int number) {
      if (number > 0) {
        key.set();
      }
    });
    CHECK(g_destroyed == 0);
    end_all(true);
    CHECK(g_destroyed == 3);
    CHECK(kept_workers() == 0);
    fake::fork_team(1, 4, nothing);
    CHECK(kept_workers() == 3);
  });
}

TEST_CASE("workers in a region end with it if a library is closed in the region") {
  keep_workers(kSpinsOn);
  on_primary([] {
    const int first = fork_two().thread;
    fake::fork_team(1, 2, [&](int) { end_all(true); });
    CHECK(fork_two().thread != first);
  });
}

TEST_CASE("a destructor may close a library, and other threads wait for it") {
  keep_workers(kAsleepAtOnce);
  static std::atomic<bool> closing{false};
  static std::atomic<int> done{0};
  const Key key([](void*) {
    while (!closing) {
      usleep(1000);
    }
    end_all(true);
    usleep(20000);
    ++done;
  });
  on_primary([&] {
    fake::fork_team(1, 3, [&](int number) {
      if (number > 0) {
        key.set();
      }
    });
    std::thread announcing([] {
      usleep(20000);
      closing = true;
    });
    end_all(true);
    CHECK(done == 2);
    announcing.join();
  });
}

TEST_CASE("a waiting worker ends after its idle time, also if it spins all this time") {
  keep_workers({64, kSpinning, 1, true});
  on_primary([] {
    fork_two();
    CHECK(kept_workers() == 1);
    CHECK(comes_true([] { return kept_workers() == 0; }));
    CHECK(fork_two().thread != 0);
  });
}

TEST_CASE("threads are compared with the current processors of the process") {
  keep_workers({.processors = 2});
  count_threads(1);
  CHECK(threads_fit());
  set_processors(1);
  CHECK_FALSE(threads_fit());
  set_processors(2);
  CHECK(threads_fit());
  count_threads(-1);
}
