// SPDX-License-Identifier: BSD-3-Clause
// Tests POMP as the source of forks, and its data words.
#include <atomic>
#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/captured.hpp"
#include "helpers/fake_library.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/pomp/hooks.hpp"
#include "omp/runtimes.hpp"
#include "places/place.hpp"

using namespace nestbind;
using binding::t_thread;

extern "C" {
int omp_get_thread_num();
void pomp_parallel_fork(struct ompregdescr*);
void pomp_parallel_begin(struct ompregdescr*);
void pomp_parallel_end(struct ompregdescr*);
}

namespace {

const fresh::Variables kDryRun = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};

// If `has_word` is true, the region is instrumented by OPARI2. Otherwise it is instrumented by
// OPARI 1.
void parallel(bool has_word, int size, const fake::Body& body) {
  const int64_t word = nestbind_pomp_fork();
  const int64_t carried = has_word ? word : pomp::kNoWord;
  fake::run_team(0, fake::Members::kNew, size, [&](int number, int) {
    nestbind_pomp_begin(carried);
    body(number);
    nestbind_pomp_end(carried);
  });
}

std::string rows(bool has_word) {
  fake::Seen seen;
  parallel(has_word, 0, [&](int) { parallel(has_word, 0, [&](int) { seen.note(cpus::told()); }); });
  return seen.rows();
}

}  // namespace

TEST_CASE("POMP places teams by their words if there is no other source") {
  fresh::process(kDryRun, [] {
    nestbind_pomp_runtime(omp_get_thread_num);
    nestbind_pomp_start();
    CHECK(fake::self(0).next_size == 4);
    CHECK(omp::started(0) != nullptr);
    CHECK(rows(true) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(placement::own_place() == nullptr);
  });
}

TEST_CASE("members find their parents by their paths if there are no words") {
  fresh::process(kDryRun, [] {
    CHECK(rows(false) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(rows(false) == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(placement::own_place() == nullptr);
  });
}

TEST_CASE("OPARI 1's entries also place the team") {
  fresh::process(kDryRun, [] {
    fake::Seen seen;
    pomp_parallel_fork(nullptr);
    fake::run_team(0, fake::Members::kNew, 0, [&](int, int) {
      pomp_parallel_begin(nullptr);
      seen.note(cpus::told());
      pomp_parallel_end(nullptr);
    });
    CHECK(seen.rows() == "0 4 8 12");
  });
}

TEST_CASE("POMP never acts again after another source has reported a region") {
  fresh::process(kDryRun, [] {
    const int64_t word = nestbind_pomp_fork();
    CHECK(word != pomp::kNoWord);
    std::atomic<int> moved{0};
    fake::parallel({}, [&](int) {  // another source has reported this region
      const auto* const place = placement::own_place();
      nestbind_pomp_begin(word);
      nestbind_pomp_end(word);
      moved += placement::own_place() == place ? 0 : 1;
    });
    CHECK(moved == 0);
    CHECK(nestbind_pomp_fork() == pomp::kNoWord);
    fake::Seen seen;
    parallel(true, 2,
             [&](int) { seen.note(placement::own_place() == nullptr ? "free" : "placed"); });
    CHECK(seen.rows() == "free free");
  });
}

TEST_CASE("without a specification there is no word and nothing to do") {
  fresh::process({}, [] {
    nestbind_pomp_start();
    nestbind_pomp_sizes();
    CHECK(nestbind_pomp_fork() == pomp::kNoWord);
    parallel(true, 2, [](int) {});
    CHECK(team::t_here.told == nullptr);
    CHECK(fake::self(0).next_size == 7);
  });
}

TEST_CASE("a runtime that does not export its functions is reported and not used") {
  fresh::process(kDryRun, [] {
    const fresh::Captured said;
    nestbind_pomp_runtime([] { return 0; });  // the program exports no OpenMP function
    CHECK(nestbind_pomp_fork() == pomp::kNoWord);
    CHECK(nestbind_pomp_fork() == pomp::kNoWord);
    CHECK(fresh::count(said.text(), "does not export omp_get_thread_num") == 1);
    parallel(true, 2, [](int) {});
    CHECK(team::t_here.told == nullptr);
  });
}

TEST_CASE("a region may be left without its end") {
  fresh::process(kDryRun, [] {
    rows(true);
    const int64_t word = nestbind_pomp_fork();
    fake::run_team(0, fake::Members::kNew, 0, [&](int number, int) {
      nestbind_pomp_begin(word);
      if (number != 0) {
        nestbind_pomp_end(word);
      }
    });
    CHECK(placement::own_place() != nullptr);
    nestbind_pomp_cancelled(word);
    CHECK(placement::own_place() == nullptr);
    nestbind_pomp_cancelled(pomp::kNoWord);
    CHECK(rows(true) == "0 1 / 4 5 / 8 9 / 12 13");
  });
}

TEST_CASE("an owner other than the initial thread gets the sizes when it asks") {
  fresh::process(kDryRun, [] {
    fake::on_new_thread([] {
      nestbind_pomp_sizes();
      CHECK(fake::self(0).next_size == 4);
      CHECK(rows(true) == "0 1 / 4 5 / 8 9 / 12 13");
    });
  });
}

TEST_CASE("a size that a thread has chosen unseen stays") {
  fresh::process(kDryRun, [] {
    nestbind_pomp_start();
    const int first = fake::self(0).next_size;
    fake::on_new_thread([first] {
      // A new thread begins with the size that the initial thread had at the program's start.
      fake::self(0).next_size = first == 2 ? 3 : 2;
      fake::Seen seen;
      parallel(true, 0, [&](int) { seen.note(cpus::told()); });
      CHECK(seen.rows() == "0 8");
    });
  });
}
