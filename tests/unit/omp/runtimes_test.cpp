// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtimes.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"

using namespace nestbind::omp;

TEST_CASE("runtimes are known in the order of their start") {
  fresh::process({}, [] {
    const Calls same = fake::calls(1);
    CHECK(started(0) == nullptr);
    CHECK(&known(same) == &same);
    note_started(fake::calls(1));
    note_started(fake::calls(0));
    note_started(fake::calls(1));
    CHECK(started(0) == &fake::calls(1));
    CHECK(started(1) == &fake::calls(0));
    CHECK(started(2) == nullptr);
    CHECK(&known(same) == &fake::calls(1));
    CHECK(started(1000) == nullptr);
  });
}

TEST_CASE("a listener is told once of each runtime that starts or has started") {
  fresh::process({}, [] {
    static std::vector<const Calls*> told;
    static StartListener listener{[](const Calls& runtime) { told.push_back(&runtime); }};
    note_started(fake::calls(1));
    add(listener);
    note_started(fake::calls(0));
    note_started(fake::calls(1));
    CHECK(told == std::vector{&fake::calls(1), &fake::calls(0)});
  });
}

TEST_CASE("too many runtimes do no harm") {
  fresh::process({}, [] {
    static Calls many[20];
    for (Calls& calls : many) {
      calls = fake::calls(0);
      note_started(calls);
    }
    CHECK(started(7) == &many[7]);
    CHECK(started(8) == nullptr);
    CHECK(&known(fake::calls(0)) == &many[0]);
  });
}

TEST_CASE("the program's own code does not belong to a runtime") {
  fresh::process({}, [] {
    note_started(fake::calls(0));
    CHECK_FALSE(is_in_runtime(reinterpret_cast<uintptr_t>(fake::calls(0).get_level)));
    static Calls elsewhere = fake::calls(1);
    elsewhere.get_level = &rand;  // any function that is in a library
    note_started(elsewhere);
    CHECK(is_in_runtime(reinterpret_cast<uintptr_t>(elsewhere.get_level)));
  });
}

TEST_CASE("a runtime that lacks a needed function is not used") {
  Calls calls{};
  CHECK(find_calls(calls, [](const char*) { return reinterpret_cast<void*>(&std::strlen); }));
  CHECK_FALSE(find_calls(calls, [](const char* name) {
    const bool lacks = std::strcmp(name, "omp_get_max_active_levels") == 0;
    return lacks ? nullptr : reinterpret_cast<void*>(&std::strlen);
  }));
}

TEST_CASE("sizes are settings of the calling thread") {
  fresh::process({}, [] {
    install_sizes(fake::calls(0), 5, 3);
    CHECK(fake::self(0).next_size == 5);
    CHECK(fake::self(0).max_active_levels == 3);
    install_sizes(fake::calls(0), 0, 2);
    CHECK(fake::self(0).next_size == 5);
    CHECK(fake::self(0).max_active_levels == 2);
  });
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"}, {"NESTBIND_TEAM_SIZES", "ignore"}}, [] {
    fake::self(0).max_active_levels = 4;
    give_levels_back(fake::calls(0), 4);
    CHECK(fake::self(0).max_active_levels == 4);
  });
}

TEST_CASE("levels are restored unless the program has changed them") {
  fresh::process({}, [] {
    fake::self(0).max_active_levels = 3;
    give_levels_back(fake::calls(0), 2);
    CHECK(fake::self(0).max_active_levels == 3);
    give_levels_back(fake::calls(0), 3);
    CHECK(fake::self(0).max_active_levels == 1);
  });
  fresh::process({{"OMP_MAX_ACTIVE_LEVELS", "6"}}, [] {
    fake::self(0).max_active_levels = 2;
    give_levels_back(fake::calls(0), 2);
    CHECK(fake::self(0).max_active_levels == 6);
  });
}
