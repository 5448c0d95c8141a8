// SPDX-License-Identifier: BSD-3-Clause
// Tests which iterations GCC's entry points give to members, and which calls reach the runtime.
#include <dlfcn.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <mutex>

#include "helpers/fake_library.hpp"
#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/gomp/gomp_straight.hpp"
#include "instrument/gomp/region.hpp"
#include "process/armed.hpp"

using namespace nestbind;
using gomp::Outlined;
using Unsigned = unsigned long long;
using Calls = std::vector<std::string>;

extern "C" {
void GOMP_parallel(Outlined, void*, unsigned, unsigned);
void GOMP_parallel_loop_runtime(Outlined, void*, unsigned, long, long, long, unsigned);
void GOMP_parallel_loop_dynamic(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_runtime_start(Outlined, void*, unsigned, long, long, long);
void GOMP_parallel_end();
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long, long, long, long*, long*);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long*, long*);
bool GOMP_loop_runtime_start(long, long, long, long*, long*);
bool GOMP_loop_runtime_next(long*, long*);
bool GOMP_loop_nonmonotonic_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_nonmonotonic_dynamic_next(long*, long*);
bool GOMP_loop_ull_nonmonotonic_runtime_start(bool, Unsigned, Unsigned, Unsigned, Unsigned*,
                                              Unsigned*);
bool GOMP_loop_ull_nonmonotonic_runtime_next(Unsigned*, Unsigned*);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
bool GOMP_loop_end_cancel();
void GOMP_barrier();
bool GOMP_barrier_cancel();
}

namespace {

void in_team(unsigned size, const std::function<void()>& body) {
  const auto run = [](void* data) { (*static_cast<const std::function<void()>*>(data))(); };
  GOMP_parallel(run, const_cast<std::function<void()>*>(&body), size, 0);
}

int number() { return fake::calls(0).get_thread_num(); }

template <typename Value>
class Pieces {
 public:
  void add(Value first, Value behind) {
    const std::lock_guard lock(mutex_);
    of_[number()].push_back({first, behind});
  }
  const auto& of(int member) const { return of_[member]; }

  std::vector<Value> values(Value step, bool is_upward) const {
    std::vector<Value> all;
    for (const auto& pieces : of_) {
      for (const auto& [first, behind] : pieces) {
        for (Value i = first; is_upward ? i < behind : i > behind; i += step) {
          all.push_back(i);
        }
      }
    }
    std::ranges::sort(all);
    return all;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Value, Value>> of_[8];
};

// Does what compiled code does for the loop `for (i = begin; i < end; i += step)`. Does not make
// the call at the end of the loop.
void run(long begin, long end, long step, Pieces<long>& pieces) {
  long first = 0;
  long behind = 0;
  if (GOMP_loop_maybe_nonmonotonic_runtime_start(begin, end, step, &first, &behind)) {
    do {
      pieces.add(first, behind);
    } while (GOMP_loop_maybe_nonmonotonic_runtime_next(&first, &behind));
  }
}

std::vector<long> counted(long begin, long end, long step) {
  std::vector<long> values;
  for (long i = begin; step > 0 ? i < end : i > end; i += step) {
    values.push_back(i);
  }
  std::ranges::sort(values);
  return values;
}

fresh::Variables scheduled(const char* text) { return {{"NESTBIND_SCHEDULE", text}}; }

Calls times(int count, const char* call) { return Calls(count, call); }

}  // namespace

TEST_CASE("without a schedule the runtime gets every call and the hooks jump to it directly") {
  fresh::process({}, [] {
    long first = 0;
    long behind = 0;
    CHECK_FALSE(worksharing::is_wanted());
    for (int round = 0; round < 2; ++round) {
      CHECK(GOMP_loop_nonmonotonic_dynamic_start(3, 20, 2, 5, &first, &behind));
      CHECK(first == 3);
      CHECK(behind == 20);
      CHECK_FALSE(GOMP_loop_nonmonotonic_dynamic_next(&first, &behind));
      GOMP_loop_end();
      GOMP_loop_end_nowait();
      CHECK_FALSE(GOMP_loop_end_cancel());
      GOMP_barrier();
      CHECK(GOMP_barrier_cancel());
      CHECK(fake::loop_calls() ==
            Calls{"loop_nonmonotonic_dynamic_start 3 20 2 5", "loop_nonmonotonic_dynamic_next",
                  "loop_end", "loop_end_nowait", "loop_end_cancel", "barrier", "barrier_cancel"});
      for (const char* entry : {"GOMP_loop_nonmonotonic_dynamic_next", "GOMP_barrier"}) {
        const auto* const end = std::end(gomp::kLoopEntries);
        const auto* const found =
            std::find_if(std::begin(gomp::kLoopEntries), end,
                         [&](const char* name) { return std::string(entry) == name; });
        CHECK(gomp::g_straight[found - gomp::kLoopEntries] == dlsym(RTLD_NEXT, entry));
      }
    }
    in_team(2, [] {});
    CHECK(fake::last_fork().function != gomp::run_member);
  });
  fresh::process(scheduled("native"), [] { CHECK_FALSE(worksharing::is_wanted()); });
}

TEST_CASE("each iteration runs once and the runtime sees only the barrier") {
  for (const char* text :
       {"hybrid", "hybrid,f=0,chunk=1", "hybrid,f=1", "hybrid,queue=all,chunk=3"}) {
    fresh::process(scheduled(text), [] {
      CHECK_FALSE(process::armed());
      struct {
        long begin, end, step;
      } const loops[] = {{0, 1000, 1},
                         {0, 0, 1},
                         {5, 4, 1},
                         {0, 1, 1},
                         {0, 3, 1},
                         {-7, 100, 3},
                         {50, -49, -2},
                         {LONG_MIN, LONG_MIN + 100, 7},
                         {LONG_MAX, LONG_MAX - 50, -1}};
      for (const auto& loop : loops) {
        Pieces<long> pieces;
        in_team(4, [&] {
          run(loop.begin, loop.end, loop.step, pieces);
          GOMP_loop_end();
        });
        CHECK(pieces.values(loop.step, loop.step > 0) == counted(loop.begin, loop.end, loop.step));
        CHECK(fake::loop_calls() == times(4, "barrier"));
      }
    });
  }
}

TEST_CASE("unsigned loops may reach the limits of their type") {
  fresh::process(scheduled("hybrid,f=0.5,chunk=2"), [] {
    constexpr Unsigned kHalf = Unsigned{1} << 63;
    struct {
      bool up;
      Unsigned begin, end, step;
      std::size_t count;
    } const loops[] = {{true, ULLONG_MAX - 100, ULLONG_MAX, 1, 100},
                       {true, 0, ULLONG_MAX, kHalf / 8, 16},
                       {false, kHalf + 60, kHalf - 60, -Unsigned{2}, 60},
                       {false, ULLONG_MAX, 0, -(kHalf / 4), 8},
                       {true, 5, 4, 1, 0}};
    for (const auto& loop : loops) {
      Pieces<Unsigned> pieces;
      in_team(3, [&] {
        Unsigned first = 0;
        Unsigned behind = 0;
        if (GOMP_loop_ull_nonmonotonic_runtime_start(loop.up, loop.begin, loop.end, loop.step,
                                                     &first, &behind)) {
          do {
            pieces.add(first, behind);
          } while (GOMP_loop_ull_nonmonotonic_runtime_next(&first, &behind));
        }
        GOMP_loop_end_nowait();
      });
      std::vector<Unsigned> expected;
      for (std::size_t k = 0; k < loop.count; ++k) {
        expected.push_back(loop.begin + k * loop.step);
      }
      std::ranges::sort(expected);
      // A loop variable could overflow at the end of its type.
      std::vector<Unsigned> got;
      for (int member = 0; member < 3; ++member) {
        for (const auto& [first, behind] : pieces.of(member)) {
          const Unsigned distance = loop.up ? behind - first : first - behind;
          const Unsigned size = loop.up ? loop.step : -loop.step;
          for (Unsigned k = 0; k < (distance - 1) / size + 1; ++k) {
            got.push_back(first + k * loop.step);
          }
        }
      }
      std::ranges::sort(got);
      CHECK(got == expected);
      CHECK(fake::loop_calls().empty());
    }
  });
}

TEST_CASE("the static fraction is one block for each member") {
  fresh::process(scheduled("hybrid,f=1"), [] {
    Pieces<long> pieces;
    in_team(4, [&] {
      run(100, 141, 1, pieces);
      GOMP_loop_end_nowait();
    });
    using Blocks = std::vector<std::pair<long, long>>;
    CHECK(pieces.of(0) == Blocks{{100, 111}});
    CHECK(pieces.of(1) == Blocks{{111, 121}});
    CHECK(pieces.of(3) == Blocks{{131, 141}});
  });
}

TEST_CASE("the old entry gives every member its iterations in rising order") {
  fresh::process(scheduled("hybrid,f=0.2,chunk=1"), [] {
    Pieces<long> pieces;
    in_team(4, [&] {
      long first = 0;
      long behind = 0;
      if (GOMP_loop_runtime_start(0, 500, 1, &first, &behind)) {
        do {
          pieces.add(first, behind);
        } while (GOMP_loop_runtime_next(&first, &behind));
      }
      GOMP_loop_end_nowait();
    });
    CHECK(pieces.values(1, true) == counted(0, 500, 1));
    for (int member = 0; member < 4; ++member) {
      CHECK(std::ranges::is_sorted(pieces.of(member)));
    }
  });
}

TEST_CASE("dynamic loops are left to the runtime unless the option loops includes them") {
  const auto body = [] {
    in_team(1, [] {
      long first = 0;
      long behind = 0;
      GOMP_loop_nonmonotonic_dynamic_start(0, 100, 1, 10, &first, &behind);
      while (GOMP_loop_nonmonotonic_dynamic_next(&first, &behind)) {
      }
      GOMP_loop_end();
    });
  };
  fresh::process(scheduled("hybrid"), [body] {
    body();
    CHECK(fake::loop_calls() == Calls{"loop_nonmonotonic_dynamic_start 0 100 1 10",
                                      "loop_nonmonotonic_dynamic_next", "loop_end"});
  });
  for (const char* text : {"hybrid,loops=dynamic", "hybrid,loops=all"}) {
    fresh::process(scheduled(text), [body] {
      body();
      CHECK(fake::loop_calls() == Calls{"barrier"});
    });
  }
}

TEST_CASE("a loop outside of regions and its end are left to the runtime") {
  fresh::process(scheduled("hybrid"), [] {
    Pieces<long> pieces;
    run(0, 10, 1, pieces);
    GOMP_loop_end();
    CHECK(fake::loop_calls() == Calls{"loop_maybe_nonmonotonic_runtime_start 0 10 1",
                                      "loop_maybe_nonmonotonic_runtime_next", "loop_end"});
  });
}

TEST_CASE("the end of a loop whose beginning was not seen is left to the runtime") {
  fresh::process(scheduled("hybrid"), [] {
    in_team(1, [] {
      Pieces<long> pieces;
      run(0, 10, 1, pieces);
      GOMP_loop_end_nowait();
      CHECK(fake::loop_calls().empty());
      GOMP_loop_end();
      CHECK(fake::loop_calls() == Calls{"loop_end"});
    });
  });
}

TEST_CASE("cancelled loops are left and the barrier reports the cancellation") {
  fresh::process(scheduled("hybrid,f=0.5,chunk=1"), [] {
    in_team(1, [] {
      long first = 0;
      long behind = 0;
      CHECK(GOMP_loop_maybe_nonmonotonic_runtime_start(0, 100, 1, &first, &behind));
      CHECK(GOMP_loop_end_cancel());
      CHECK(fake::loop_calls() == Calls{"barrier_cancel"});
      CHECK(GOMP_loop_maybe_nonmonotonic_runtime_start(0, 100, 1, &first, &behind));
    });
    Pieces<long> pieces;
    in_team(1, [&] {
      GOMP_loop_end();
      CHECK(fake::loop_calls() == Calls{"loop_end"});
      run(0, 20, 1, pieces);
      GOMP_loop_end_nowait();
    });
    CHECK(pieces.values(1, true) == counted(0, 20, 1));
  });
}

TEST_CASE("an inner team inside a loop has its own loops") {
  fresh::process(scheduled("hybrid,f=0.5,chunk=1"), [] {
    fake::self(0).max_active_levels = 2;
    for (int round = 0; round < 3; ++round) {
      Pieces<long> outer;
      std::atomic<long> sum{0};
      in_team(3, [&] {
        long first = 0;
        long behind = 0;
        if (GOMP_loop_maybe_nonmonotonic_runtime_start(0, 30, 1, &first, &behind)) {
          do {
            outer.add(first, behind);
            in_team(2, [&] {
              long from = 0;
              long to = 0;
              if (GOMP_loop_maybe_nonmonotonic_runtime_start(0, 10, 1, &from, &to)) {
                do {
                  sum += to - from;
                } while (GOMP_loop_maybe_nonmonotonic_runtime_next(&from, &to));
              }
              GOMP_loop_end();
            });
          } while (GOMP_loop_maybe_nonmonotonic_runtime_next(&first, &behind));
        }
        GOMP_loop_end();
      });
      CHECK(outer.values(1, true) == counted(0, 30, 1));
      const long forks =
          static_cast<long>(outer.of(0).size() + outer.of(1).size() + outer.of(2).size());
      CHECK(sum == 10 * forks);
      CHECK(fake::loop_calls().size() == static_cast<std::size_t>(3 + 2 * forks));
    }
  });
}

TEST_CASE("a team shares its loops if its size differs from the expected size") {
  fresh::process(scheduled("hybrid"), [] {
    const auto inner = [](const Calls& expected) {
      in_team(1, [&] {
        in_team(3, [] {});
        fake::loop_calls();
      });
      in_team(2, [] {});
      in_team(2, [&] {
        in_team(4, [&] {
          Pieces<long> pieces;
          run(0, 10, 1, pieces);
          GOMP_loop_end();
        });
      });
      Calls calls = fake::loop_calls();
      std::ranges::sort(calls);
      CHECK(calls == expected);
    };
    fake::self(0).max_active_levels = 2;
    inner(times(8, "barrier"));
    fake::self(0).max_active_levels = 1;  // inner teams have one thread
    inner(times(2, "barrier"));
    inner(times(2, "barrier"));
  });
}

TEST_CASE("the members begin the loop that a combined fork starts") {
  const auto outlined = [](void* data) {
    long first = 0;
    long behind = 0;
    while (GOMP_loop_runtime_next(&first, &behind)) {
      static_cast<Pieces<long>*>(data)->add(first, behind);
    }
    GOMP_loop_end_nowait();
  };
  fresh::process(scheduled("hybrid,chunk=2"), [outlined] {
    for (int round = 0; round < 2; ++round) {
      Pieces<long> pieces;
      GOMP_parallel_loop_runtime(outlined, &pieces, 4, 10, 71, 3, 5);
      CHECK(fake::last_fork().entry == "parallel");
      CHECK(fake::last_fork().threads == 4);
      CHECK(fake::last_fork().flags == 5);
      CHECK(pieces.values(3, true) == counted(10, 71, 3));
      CHECK(fake::loop_calls().empty());
    }
    Pieces<long> dynamic;
    GOMP_parallel_loop_dynamic(outlined, &dynamic, 2, 0, 10, 1, 2, 1);
    CHECK(fake::last_fork().entry == "dynamic");
    Pieces<long> old;
    GOMP_parallel_loop_runtime_start(outlined, &old, 1, 0, 40, 1);
    CHECK(fake::last_fork().entry == "start");
    outlined(&old);
    GOMP_parallel_end();
    CHECK(old.values(1, true) == counted(0, 40, 1));
    CHECK(worksharing::is_ours() == false);
  });
}

TEST_CASE("nestbind also shares out a combined loop in a team of another size") {
  fresh::process(scheduled("hybrid"), [] {
    std::atomic<int> runs{0};
    const auto outlined = [](void* data) {
      long first = 0;
      long behind = 0;
      while (GOMP_loop_runtime_next(&first, &behind)) {
        ++*static_cast<std::atomic<int>*>(data);
      }
      GOMP_loop_end_nowait();
    };
    fake::self(0).max_active_levels = 1;
    GOMP_parallel_loop_runtime(outlined, &runs, 4, 10, 71, 3, 0);
    CHECK(fake::loop_calls().empty());
    runs = 0;
    fake::self(0).max_active_levels = 0;
    GOMP_parallel_loop_runtime(outlined, &runs, 4, 10, 71, 3, 0);
    CHECK(runs > 0);
    CHECK(fake::loop_calls().empty());
  });
}

TEST_CASE("a barrier of another runtime's unseen team is not counted for the known team") {
  fresh::process(scheduled("hybrid"), [] {
    const auto passed_in_team_of = [](const omp::Calls& runtime) {
      team::Team* team = team::fork_begin(runtime, nullptr, 1);
      team::member_begin(team, 0, 1);
      GOMP_barrier();
      GOMP_barrier_cancel();
      GOMP_loop_end();
      GOMP_loop_end_cancel();
      const std::uint64_t passed = worksharing::own_member()->barriers;
      team::member_end(team, 0);
      return passed;
    };
    in_team(1, [] {});
    REQUIRE(gomp::global_runtime() != nullptr);
    CHECK(passed_in_team_of(gomp::global_runtime()->calls) == 4);
    CHECK(passed_in_team_of(fake::calls(1)) == 0);
  });
}

TEST_CASE("a specification and a schedule can be used together") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")},
                  {"NESTBIND_SCHEDULE", "hybrid,queue=package"}},
                 [] {
                   Pieces<long> pieces;
                   in_team(4, [&] {
                     run(0, 1000, 1, pieces);
                     GOMP_loop_end();
                   });
                   CHECK(pieces.values(1, true) == counted(0, 1000, 1));
                   CHECK(fake::loop_calls() == times(4, "barrier"));
                 });
}
