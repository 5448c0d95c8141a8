// SPDX-License-Identifier: BSD-3-Clause
// Tests that a worker has its primary thread's state, and no state from earlier regions.
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "masters.hpp"
#include "workers/changes.hpp"
#include "workers/quiet.hpp"

using namespace nestbind::workers;

namespace {

// The kernel does not reuse a thread ID soon. The C library reuses pthread handles.
int on_worker(const std::function<void()>& action) {
  std::atomic<int> id{0};
  fake::fork_team(1, 2, [&](int number) {
    if (number == 1) {
      id = gettid();
      action();
    }
  });
  return id;
}

void do_nothing() {}

bool is_gone(int id) { return syscall(SYS_tgkill, getpid(), id, 0) != 0; }

constexpr int kLong = 600;  // seconds, so no idle worker ends during a test

#if defined(__x86_64__)
void divide_long_by_zero() {
  volatile long double zero = 0;
  volatile long double result = 1 / zero;
  (void)result;
}

void divide_long() {
  volatile long double one = 1;
  volatile long double result = one / 2;
  (void)result;
}
#endif

}  // namespace

TEST_CASE("a worker begins with the primary thread's raised exceptions") {
  keep_workers({2, GENERATE(0U, kSpinning), kLong});
  on_primary([] {
    feclearexcept(FE_ALL_EXCEPT);
    int seen = -1;
    const auto look = [&] { seen = fetestexcept(FE_ALL_EXCEPT); };
    const int first = on_worker([] { feraiseexcept(FE_ALL_EXCEPT); });
    CHECK(on_worker(look) == first);
    CHECK(seen == 0);
    feraiseexcept(FE_UNDERFLOW);
    const int mine = fetestexcept(FE_ALL_EXCEPT);
    CHECK(on_worker(look) == first);
    CHECK(seen == mine);
  });
}

#if defined(__x86_64__)
TEST_CASE("a raised exception of an earlier region does not trap in a later region") {
  keep_workers({2, GENERATE(0U, kSpinning), kLong});
  on_primary([] {
    const int first = on_worker([] {
      fenv_t before;
      feholdexcept(&before);
      divide_long_by_zero();
    });
    feenableexcept(FE_DIVBYZERO);
    int enabled = 0;
    CHECK(on_worker([&] {
            divide_long();
            enabled = fegetexcept();
          }) == first);
    CHECK(enabled == FE_DIVBYZERO);
    fedisableexcept(FE_DIVBYZERO);
    CHECK(on_worker(divide_long_by_zero) == first);
  });
}
#endif

TEST_CASE("changes by other threads replace every worker once") {
  keep_workers({2, kSpinning, kLong});
  on_primary([] {
    const int first = on_worker(do_nothing);
    REQUIRE(on_worker(do_nothing) == first);
    note_change_of_any();
    const int second = on_worker(do_nothing);
    CHECK(second != first);
    CHECK(on_worker(do_nothing) == second);
    std::thread([&] { note_change_of(second); }).join();
    const int third = on_worker(do_nothing);
    CHECK(third != second);
    std::thread([&] { note_change_of(getppid()); }).join();  // another process
    CHECK(on_worker(do_nothing) == third);
  });
}

TEST_CASE("settings that threads do not inherit affect only the worker itself") {
  keep_workers({2, kSpinning, kLong});
  on_primary([] {
    const int first = on_worker(do_nothing);
    note_own_change();
    CHECK(on_worker(note_own_change) == first);
    CHECK(on_worker(do_nothing) != first);
  });
}

TEST_CASE("a worker that has changed itself ends with its region") {
  keep_workers({2, GENERATE(0U, kSpinning), kLong});
  on_primary([] {
    const int first = on_worker(note_change);
    CHECK(comes_true([&] { return is_gone(first); }));
    CHECK(kept_workers() == 0);
    CHECK(on_worker(do_nothing) != first);
    CHECK(kept_workers() == 1);
  });
}

TEST_CASE("setting the same mask again is not a change") {
  keep_workers({2, kSpinning, kLong});
  on_primary([] {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    const int first = on_worker([&] { note_mask(&mask); });
    CHECK(on_worker(do_nothing) == first);
    sigaddset(&mask, SIGUSR2);
    CHECK(on_worker([&] { note_mask(&mask); }) == first);
    CHECK(on_worker(do_nothing) != first);
  });
}

TEST_CASE("errno and the locale are reset between regions") {
  keep_workers({2, kSpinning, kLong});
  on_primary([] {
    locale_t other = newlocale(LC_ALL_MASK, "C", nullptr);
    const int first = on_worker([&] {
      uselocale(other);
      errno = EDOM;
    });
    int left = -1;
    locale_t used = nullptr;
    CHECK(on_worker([&] {
            left = errno;
            used = uselocale(nullptr);
          }) == first);
    CHECK(left == 0);
    CHECK(used == LC_GLOBAL_LOCALE);
    freelocale(other);
  });
}

namespace {

constexpr int kDefault = 0;
constexpr int kPreferred = 1;
constexpr int kBind = 2;

// Node 0 always exists. Returns false if the system has no memory policies.
bool set_policy(int mode) {
  const unsigned long node = 1;
  const bool done = syscall(SYS_set_mempolicy, mode, mode == kDefault ? nullptr : &node,
                            mode == kDefault ? 0 : 2) == 0;
  note_policy_change();
  return done;
}

int policy() {
  int mode = -1;
  syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0);
  return mode;
}

}  // namespace

TEST_CASE("a memory policy is passed on to workers") {
  keep_workers({2, kSpinning, kLong});
  on_primary([] {
    if (!set_policy(kDefault)) {
      WARN("no memory policies here");
      return;
    }
    int seen = -1;
    const auto look = [&] { seen = policy(); };
    const int first = on_worker(look);
    CHECK(seen == kDefault);
    set_policy(kBind);
    CHECK(on_worker(look) == first);
    CHECK(seen == kBind);
    CHECK(on_worker([] { set_policy(kPreferred); }) == first);
    CHECK(on_worker(look) == first);
    CHECK(seen == kBind);
    const auto look_deeper = [&] {
      fake::fork_team(2, 2, [&](int number) { number == 1 ? look() : do_nothing(); });
    };
    CHECK(on_worker(look_deeper) == first);
    CHECK(seen == kBind);
    set_policy(kPreferred);
    CHECK(on_worker(look_deeper) == first);
    CHECK(seen == kPreferred);
    set_policy(kDefault);
    CHECK(on_worker(look_deeper) == first);
    CHECK(seen == kDefault);
  });
}
