// SPDX-License-Identifier: BSD-3-Clause
#include <fenv.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <thread>

#include "masters.hpp"

using nestbind::workers::keep_workers;
using nestbind::workers::kept_workers;

// A child process of a test creates threads, which ThreadSanitizer forbids by default.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

TEST_CASE("a worker returns to its place") {
  keep_workers({2, GENERATE(0U, kSpinning)});
  on_primary([] {
    const auto first = fake::fork_team(1, 4, nothing).handles;
    REQUIRE(std::set<pthread_t>(first.begin(), first.end()).size() == 3);
    CHECK(fake::fork_team(1, 4, nothing).handles == first);
    CHECK(fake::fork_team(1, 2, nothing).handles[0] == first[0]);
    CHECK(fake::fork_team(1, 4, nothing).handles == first);
    const auto deeper = fake::fork_team(2, 4, nothing).handles;
    CHECK(std::find_first_of(first.begin(), first.end(), deeper.begin(), deeper.end()) ==
          first.end());
    static const int kOther = 0;
    const auto other = fake::fork_team(1, 4, nothing, nullptr, &kOther).handles;
    CHECK(std::find_first_of(first.begin(), first.end(), other.begin(), other.end()) ==
          first.end());
  });
}

TEST_CASE("primary threads do not share workers, and leave none") {
  keep_workers({2, kSpinning});
  on_primary([] {
    const auto mine = fake::fork_team(1, 3, nothing).handles;
    std::vector<pthread_t> theirs;
    on_primary([&] { theirs = fake::fork_team(1, 3, nothing).handles; });
    CHECK(std::find_first_of(mine.begin(), mine.end(), theirs.begin(), theirs.end()) == mine.end());
    CHECK(fake::fork_team(1, 3, nothing).handles == mine);
  });
}

TEST_CASE("many primary threads may fork many levels and sizes at once") {
  keep_workers({GENERATE(1, 64), GENERATE(0U, kSpinning)});
  constexpr int kPrimaries = 4;
  std::atomic<long> done{0};
  std::atomic<long> wanted{0};
  std::vector<std::thread> primaries;
  for (unsigned seed = 0; seed < kPrimaries; ++seed) {
    primaries.emplace_back([&, seed] {
      std::mt19937 random(seed);
      const auto size = [&] { return 1 + static_cast<int>(random() % 4); };
      for (int i = 0; i < 100; ++i) {
        const int outer = size();
        const int inner = size();
        wanted += outer + outer * inner;
        fake::fork_team(1, outer, [&](int) {
          fake::fork_team(2, inner, [&](int) { ++done; });
          ++done;
        });
      }
    });
  }
  for (std::thread& primary : primaries) {
    primary.join();
  }
  CHECK(done == wanted);
  CHECK(comes_true([] { return kept_workers() == 0; }));
}

TEST_CASE("idle workers end, and are replaced") {
  keep_workers({2, 0, 1});
  on_primary([] {
    fake::fork_team(1, 3, nothing);
    CHECK(kept_workers() == 2);
    CHECK(comes_true([] { return kept_workers() == 0; }));
    std::atomic<int> done{0};
    fake::fork_team(1, 2, [&](int number) { done += number; });
    CHECK(done == 1);
    CHECK(kept_workers() == 1);
  });
}

TEST_CASE("another stack size needs another thread") {
  keep_workers({2, kSpinning});
  on_primary([] {
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 64UL << 20);
    const auto usual = fake::fork_team(1, 2, nothing).handles;
    const auto with_room = fake::fork_team(
                               1, 2,
                               [](int number) {
                                 pthread_attr_t own;
                                 std::size_t size = 0;
                                 REQUIRE(pthread_getattr_np(pthread_self(), &own) == 0);
                                 pthread_attr_getstacksize(&own, &size);
                                 pthread_attr_destroy(&own);
                                 CHECK((number == 0 || size >= 64UL << 20));
                               },
                               &large)
                               .handles;
    CHECK(fake::fork_team(1, 2, nothing, &large).handles == with_room);
    pthread_attr_destroy(&large);
  });
}

TEST_CASE("threads that have changed themselves are not used again") {
  keep_workers({2, kSpinning});
  // New threads may get old handles, but not old thread IDs.
  const auto worker_id = [](const std::function<void()>& action) {
    std::atomic<int> id{0};
    fake::fork_team(1, 2, [&](int number) {
      if (number == 1) {
        id = gettid();
        action();
      }
    });
    return id.load();
  };
  on_primary([&] {
    const int first = worker_id([] {});
    REQUIRE(worker_id([] {}) == first);
    worker_id([] { nestbind::workers::note_change(); });
    const int second = worker_id([] {});
    CHECK(second != first);
    CHECK(worker_id([] {}) == second);
    nestbind::workers::note_change();
    const int third = worker_id([] {});
    CHECK(third != second);
    CHECK(worker_id([] {}) == third);
  });
}

TEST_CASE("a worker has the rounding mode of its primary thread") {
  keep_workers({2, GENERATE(0U, kSpinning)});
  on_primary([] {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
      fesetround(mode);
      int seen = -1;
      fake::fork_team(1, 2, [&](int number) {
        if (number == 1) {
          seen = fegetround();
          fesetround(FE_DOWNWARD);
        }
      });
      CHECK(seen == mode);
    }
  });
}

TEST_CASE("a pool in use is not used a second time") {
  keep_workers({2, kSpinning});
  on_primary([] {
    std::atomic<int> done{0};
    fake::fork_team(1, 2, [&](int number) {
      if (number == 0) {  // A host fallback forks at the same level.
        fake::fork_team(1, 2, [&](int inner) { done += inner; });
      }
    });
    CHECK(done == 1);
    CHECK(kept_workers() == 1);
  });
}

TEST_CASE("no more workers are kept than the limit") {
  keep_workers({1, 0});
  on_primary([] {
    std::atomic<int> done{0};
    CHECK(fake::fork_team(1, 100, [&](int) { ++done; }).status == 0);
    CHECK(fake::fork_team(1, 100, [&](int) { ++done; }).status == 0);
    CHECK(done == 200);
    CHECK(kept_workers() == 64);
  });
}

TEST_CASE("workers spin only if each thread has a processor") {
  keep_workers({4, kSpinning});
  on_primary([] {
    CHECK(nestbind::workers::threads_fit());
    nestbind::workers::note_own_team(3);
    CHECK(nestbind::workers::threads_fit());
    nestbind::workers::note_own_team(5);
    CHECK(!nestbind::workers::threads_fit());
    nestbind::workers::note_own_team(2);
    fake::fork_team(1, 4, nothing);
    CHECK(!nestbind::workers::threads_fit());
  });
  CHECK(comes_true([] { return kept_workers() == 0; }));
  CHECK(nestbind::workers::threads_fit());
}

TEST_CASE("a forked child process begins without workers") {
  keep_workers({2, kSpinning});
  on_primary([] {
    fake::fork_team(1, 3, nothing);
    const pid_t child = fork();
    if (child == 0) {
      nestbind::workers::forget_pools();
      std::atomic<int> done{0};
      const bool none = kept_workers() == 0;
      fake::fork_team(1, 2, [&](int number) { done += number; });
      _exit(none && done == 1 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(kept_workers() == 2);
  });
}
