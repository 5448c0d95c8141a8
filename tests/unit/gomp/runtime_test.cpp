// SPDX-License-Identifier: BSD-3-Clause
// Tests the runtime of some code, the sizes of teams, and which threads count as workers.
#include <dlfcn.h>
#include <errno.h>
#include <nestbind/nestbind.h>

#include <catch2/catch.hpp>
#include <climits>
#include <cstring>

#include "binding/thread.hpp"
#include "helpers/cpus.hpp"
#include "helpers/fake_library.hpp"
#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/gomp/gomp_runtime.hpp"
#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "placement/expected_workers.hpp"
#include "placement/questions.hpp"
#include "places/place.hpp"
#include "process/original_mask.hpp"

using namespace nestbind;
using binding::t_thread;

extern "C" {
void GOMP_parallel(gomp::Outlined, void*, unsigned, unsigned);
int omp_get_max_threads();
int omp_get_max_threads_();
void omp_set_num_threads(int);
void omp_set_num_threads_(const int32_t*);
void omp_set_num_threads_8_(const int64_t*);
}

namespace {

const fresh::Variables kDryRun = {{"OMP_NESTING_TEAM_SIZE", "3,scatter,2,subcompact"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};

const void* code() { return reinterpret_cast<const void*>(&code); }
void no_work(void*) {}

// The start function of a worker must be in the runtime's library.
workers::Start* in_runtime() {
  return reinterpret_cast<workers::Start*>(dlsym(RTLD_NEXT, "omp_get_max_active_levels"));
}

}  // namespace

TEST_CASE("the global runtime serves every caller") {
  fresh::process({}, [] {
    const gomp::Runtime* runtime = gomp::runtime_of(code());
    REQUIRE(runtime != nullptr);
    CHECK(runtime->is_gnu);
    CHECK(runtime->is_heard);
    CHECK(runtime == gomp::global_runtime());
    CHECK(runtime == gomp::runtime_of(reinterpret_cast<const void*>(&std::strlen)));
    CHECK(runtime->entry[gomp::kParallel] == dlsym(RTLD_NEXT, "GOMP_parallel"));
    CHECK(runtime->entry[gomp::entry_of("GOMP_parallel_loop_guided")] == nullptr);
    CHECK(&omp::known(runtime->calls) == &runtime->calls);
  });
}

TEST_CASE("a function in a runtime's code is a worker's function") {
  fresh::process({}, [] {
    void* (*const elsewhere)(void*) = [](void* memory) { return memory; };
    CHECK(omp::is_in_runtime(reinterpret_cast<uintptr_t>(in_runtime())));
    CHECK_FALSE(omp::is_in_runtime(reinterpret_cast<uintptr_t>(elsewhere)));
  });
}

TEST_CASE("the sizes are set before the program first asks for them") {
  fresh::process(kDryRun, [] {
    CHECK(fake::self(0).next_size == 3);
    CHECK(fake::self(0).max_active_levels == 2);
    CHECK(omp_get_max_threads() == 3);
    CHECK(omp_get_max_threads_() == 3);
  });
  fresh::process({}, [] {
    CHECK(omp_get_max_threads() == 7);
    const std::string text = "5,scatter";
    REQUIRE(placement::set_specification(text.data(), text.size()) == NESTBIND_OK);
    CHECK(omp_get_max_threads() == 5);
  });
}

TEST_CASE("a strict process that has a runtime and no plan stops before main") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                  {"NESTBIND_STRICT", "1"},
                  {"NESTBIND_MACHINE", "nowhere"}},
                 [] { FAIL("main is reached"); },
                 {NESTBIND_STRICT_STATUS, "the program is stopped (NESTBIND_STRICT=1)"});
}

TEST_CASE("the size that the program chooses is passed on and remembered") {
  fresh::process(kDryRun, [] {
    const int32_t two = 2;
    const int64_t much = int64_t{1} << 40;
    omp_set_num_threads(6);
    CHECK(fake::self(0).next_size == 6);
    CHECK(t_thread.chose_in != 0);
    omp_set_num_threads_(&two);
    CHECK(omp_get_max_threads() == 2);
    omp_set_num_threads_8_(&much);
    CHECK(fake::self(0).next_size == INT_MAX);
  });
}

TEST_CASE("an inner team's workers are expected and its pool is used again") {
  fresh::process(
      {{"OMP_NESTING_TEAM_SIZE", "1,scatter,2,subscatter"}, {"NESTBIND_QUIET", "1"}}, [] {
        static bool is_expected = false;
        static bool is_ours = true;
        static std::string planned;
        static int creations = 0;
        const auto look = [] {
          if (fake::self(0).path.empty()) {
            return;
          }
          is_expected = placement::is_expected_worker(in_runtime());
          is_ours = placement::is_expected_worker([](void* memory) { return memory; });
          pthread_t thread;
          const workers::Request request{&thread, nullptr, in_runtime(), nullptr};
          placement::provide_worker(request,
                                    [](pthread_t*, const pthread_attr_t*, workers::Start*, void*) {
                                      ++creations;
                                      planned = cpus::text(placement::mask_for_new_worker());
                                      return EPERM;
                                    });
        };
        fake::before_workers(look);
        GOMP_parallel([](void*) { GOMP_parallel(no_work, nullptr, 2, 0); }, nullptr, 1, 0);
        CHECK(is_expected);
        CHECK_FALSE(is_ours);
        CHECK(creations == 1);
        CHECK_FALSE(planned.empty());
        CHECK_FALSE(placement::is_forking());
        CHECK_FALSE(placement::is_expected_worker(in_runtime()));
      });
}

TEST_CASE("the primary thread moves to its place right before its first worker is created") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_QUIET", "1"}}, [] {
    static std::string before_creation;
    static std::string at_creation;
    fake::before_workers([] {
      before_creation = cpus::in_kernel();
      pthread_t thread;
      placement::provide_worker({&thread, nullptr, in_runtime(), nullptr},
                                [](pthread_t*, const pthread_attr_t*, workers::Start*, void*) {
                                  placement::mask_for_new_worker();
                                  at_creation = cpus::in_kernel();
                                  return EPERM;
                                });
    });
    GOMP_parallel(no_work, nullptr, 2, 0);
    CHECK(before_creation == cpus::text(process::original_mask()));
    CHECK(at_creation == cpus::in_kernel());
    CHECK(t_thread.bound.bits != nullptr);
  });
}
