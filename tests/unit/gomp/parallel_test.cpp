// SPDX-License-Identifier: BSD-3-Clause
// Tests GCC's entry points of regions: which calls reach the runtime, and what members see.
#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/fake_library.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/gomp/region.hpp"
#include "places/place.hpp"
#include "process/armed.hpp"

using namespace nestbind;
using gomp::Outlined;

extern "C" {
void GOMP_parallel(Outlined, void*, unsigned, unsigned);
void GOMP_parallel_sections(Outlined, void*, unsigned, unsigned, unsigned);
unsigned GOMP_parallel_reductions(Outlined, void*, unsigned, unsigned);
void GOMP_parallel_loop_dynamic(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_runtime(Outlined, void*, unsigned, long, long, long, unsigned);
void GOMP_parallel_loop_guided(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_start(Outlined, void*, unsigned);
void GOMP_parallel_end();
}

namespace {

fresh::Variables dry_run(const char* spec) {
  return {{"OMP_NESTING_TEAM_SIZE", spec}, {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
}

struct Nest {
  int levels;
  fake::Seen* seen;
};

void nested(void* data) {
  const Nest& nest = *static_cast<Nest*>(data);
  if (nest.levels == 1) {
    nest.seen->note(cpus::told());
    return;
  }
  Nest inner{nest.levels - 1, nest.seen};
  GOMP_parallel(nested, &inner, 0, 0);
}

std::string rows(int levels) {
  fake::Seen seen;
  Nest nest{levels, &seen};
  GOMP_parallel(nested, &nest, 0, 0);
  return seen.rows();
}

void nothing(void*) {}
void count(void* data) { ++*static_cast<std::atomic<int>*>(data); }

}  // namespace

TEST_CASE("teams that GCC's entry forks are placed") {
  fresh::process(dry_run("4,scatter,2,subcompact"), [] {
    CHECK(rows(2) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(rows(2) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(placement::own_place() == nullptr);
  });
}

TEST_CASE("regions may be nested six levels deep") {
  fresh::process(dry_run("1,scatter,1,scatter,1,scatter,1,scatter,1,scatter,2,subscatter"), [] {
    CHECK(rows(6) == "0 2");
    CHECK(rows(6) == "0 2");
  });
}

TEST_CASE("the runtime gets our function and the program's team size and flags") {
  fresh::process(dry_run("4,scatter"), [] {
    std::atomic<int> calls{0};
    GOMP_parallel(count, &calls, 3, 5);
    const auto first = fake::last_fork();
    CHECK(first.function == gomp::run_member);
    CHECK(first.threads == 3);
    CHECK(first.flags == 5);
    CHECK(calls == 3);
    GOMP_parallel(count, &calls, 3, 5);
    CHECK(fake::last_fork().data == first.data);
  });
}

TEST_CASE("a fork is passed on unchanged if nothing is specified") {
  fresh::process({}, [] {
    std::atomic<int> calls{0};
    CHECK_FALSE(process::armed());
    GOMP_parallel(count, &calls, 3, 0);
    CHECK(fake::last_fork().function == count);
    CHECK(fake::last_fork().data == &calls);
    GOMP_parallel_start(count, &calls, 2);
    CHECK(fake::last_fork().function == count);
    GOMP_parallel_end();
    CHECK(fake::last_fork().entry == "end");
    CHECK(team::t_here.told == nullptr);
  });
}

TEST_CASE("the other entries pass on all their arguments") {
  fresh::process(dry_run("2,scatter"), [] {
    using Numbers = std::vector<long>;
    GOMP_parallel_sections(nothing, nullptr, 2, 9, 1);
    CHECK(fake::last_fork().entry == "sections");
    CHECK(fake::last_fork().others == Numbers{9});
    CHECK(fake::last_fork().flags == 1);
    GOMP_parallel_loop_dynamic(nothing, nullptr, 2, 10, 20, 3, 4, 6);
    CHECK(fake::last_fork().entry == "dynamic");
    CHECK(fake::last_fork().others == Numbers{10, 20, 3, 4});
    CHECK(fake::last_fork().flags == 6);
    GOMP_parallel_loop_runtime(nothing, nullptr, 2, 10, 20, 3, 7);
    CHECK(fake::last_fork().others == Numbers{10, 20, 3});
    CHECK(fake::last_fork().flags == 7);
  });
}

TEST_CASE("the runtime finds the task reductions in our region's first word") {
  fresh::process(dry_run("2,scatter"), [] {
    long reductions = 77;
    struct {
      long* first;
    } data{&reductions};
    CHECK(GOMP_parallel_reductions(nothing, &data, 2, 0) == 42);
    CHECK(fake::last_fork().others == std::vector<long>{77});
  });
}

TEST_CASE("a region runs on the calling thread if the runtime lacks its entry") {
  fresh::process(dry_run("2,scatter"), [] {
    std::atomic<int> calls{0};
    GOMP_parallel_loop_guided(count, &calls, 4, 0, 10, 1, 1, 0);
    CHECK(calls == 1);
  });
}

TEST_CASE("the old entries for start and end may be nested") {
  fresh::process(dry_run("4,scatter,2,subcompact"), [] {
    GOMP_parallel_end();  // no team has begun
    GOMP_parallel_start(nothing, nullptr, 1);
    REQUIRE(placement::own_place() != nullptr);
    nestbind_place place;
    REQUIRE(placement::get_place(&place) == NESTBIND_OK);
    CHECK(place.level == 1);
    GOMP_parallel_start(nothing, nullptr, 1);
    REQUIRE(placement::get_place(&place) == NESTBIND_OK);
    CHECK(place.level == 2);
    GOMP_parallel_end();
    REQUIRE(placement::get_place(&place) == NESTBIND_OK);
    CHECK(place.level == 1);
    GOMP_parallel_end();
    CHECK(placement::own_place() == nullptr);
  });
}
