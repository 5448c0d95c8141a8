// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "helpers/fake_library.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/gomp/region.hpp"
#include "omp/sources.hpp"
#include "placement/expected_workers.hpp"

using namespace nestbind;
using gomp::Outlined;

void fake_program_forks(Outlined function, void* data, unsigned threads);

namespace {

fresh::Variables dry_run(bool wants_llvm) {
  fresh::Variables variables = {{"OMP_NESTING_TEAM_SIZE", "4,scatter"},
                                {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
  if (wants_llvm) {
    variables.emplace_back("NESTBIND_RUNTIME", "llvm");
  }
  return variables;
}

void note(void* seen) { static_cast<fake::Seen*>(seen)->note(cpus::told()); }

const void* code() { return reinterpret_cast<const void*>(&code); }

}  // namespace

TEST_CASE("the tool interface reports forks of LLVM's runtime and the entries do nothing") {
  fresh::process(dry_run(false), [] {
    const gomp::Runtime* runtime = gomp::runtime_of(code());
    REQUIRE(runtime != nullptr);
    CHECK_FALSE(runtime->is_gnu);
    CHECK_FALSE(runtime->is_heard);
    CHECK(omp::told_by_entries(runtime->calls) == nullptr);
    fake::Seen seen;
    fake_program_forks(note, &seen, 2);
    CHECK(fake::last_fork().function == note);
    CHECK(fake::last_fork().data == &seen);
    CHECK(team::t_here.told == nullptr);
  });
}

TEST_CASE("the entries report the forks if all forks come through them") {
  fresh::process(dry_run(true), [] {
    const gomp::Runtime* runtime = gomp::runtime_of(code());
    REQUIRE(runtime != nullptr);
    CHECK_FALSE(runtime->is_gnu);
    CHECK(runtime->is_heard);
    CHECK(omp::told_by_entries(runtime->calls) == &runtime->calls);
    fake::Seen seen;
    fake_program_forks(note, &seen, 0);
    CHECK(fake::last_fork().function == gomp::run_member);
    CHECK(seen.rows() == "0 4 8 12");
    CHECK(fake::self(0).next_size == 4);
  });
}

TEST_CASE("LLVM's runtime keeps its own workers") {
  fresh::process(dry_run(true), [] {
    static bool expects = true;
    fake::before_workers(
        [] { expects = placement::is_forking() || team::t_here.member->forked->pool != nullptr; });
    fake_program_forks([](void*) {}, nullptr, 2);
    CHECK_FALSE(expects);
  });
}
