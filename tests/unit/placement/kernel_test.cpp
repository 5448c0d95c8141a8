// SPDX-License-Identifier: BSD-3-Clause
// Binds threads with the kernel's masks, on this machine.
#include <catch2/catch.hpp>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "places/place.hpp"
#include "process/original_mask.hpp"

using nestbind::binding::t_thread;

namespace {

const fresh::Variables kTwoTeams = {{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subscatter"},
                                    {"NESTBIND_QUIET", "1"}};

// Returns "ok" if the kernel, the record and the plan agree about the calling thread.
std::string agreement() {
  const auto& planned = nestbind::placement::own_place()->planned.mask;
  const bool is_so = nestbind::mask::is_same(cpus::kernel().view(), planned) &&
                     nestbind::binding::bound_mask().bits == planned.bits &&
                     cpus::told() == cpus::text(planned);
  return is_so ? "ok" : "not";
}

bool has_two() { return nestbind::mask::count(cpus::kernel().view()) >= 2; }

}  // namespace

TEST_CASE("the kernel has the planned masks") {
  for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
    fresh::process(kTwoTeams, [members] {
      CHECK(fake::rows(2, {.members = members}, agreement) == "ok ok / ok ok");
      CHECK(fake::rows(2, {.members = members}, agreement) == "ok ok / ok ok");
    });
  }
}

TEST_CASE("the kernel keeps two members apart if there are two processors") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_QUIET", "1"}}, [] {
    const bool is_wide = has_two();
    std::string masks[2];
    fake::parallel({}, [&](int number) { masks[number] = cpus::in_kernel(); });
    CHECK((masks[0] != masks[1]) == is_wide);
    CHECK(cpus::in_kernel() == masks[0]);
  });
}

TEST_CASE("only processors of the process's initial mask are used") {
  // The new process begins with this narrower mask.
  const auto all = cpus::list(cpus::kernel().view());
  const auto before = cpus::kernel();
  const auto narrow = cpus::of({all.back()});
  REQUIRE(cpus::set_in_kernel(narrow.view()));
  fresh::process(kTwoTeams, [] {
    const std::string only = cpus::in_kernel();
    CHECK(only == cpus::text(nestbind::process::original_mask()));
    const std::string row = only + " " + only;
    CHECK(fake::rows(2, {}, cpus::in_kernel) == row + " / " + row);
  });
  CHECK(cpus::set_in_kernel(before.view()));
}

TEST_CASE("the recorded mask is not trusted if the runtime may also bind threads") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"OMP_PROC_BIND", "close"}}, [] {
    const auto original = cpus::kernel();
    fake::parallel({.members = fake::Members::kKept}, [&](int) {
      cpus::set_in_kernel(original.view());  // a runtime may do this, unseen by nestbind
    });
    CHECK(fake::rows(1, {.members = fake::Members::kKept}, agreement) == "ok ok");
  });
}

TEST_CASE("a thread that another runtime has used is bound again") {
  fresh::process(kTwoTeams, [] {
    const auto original = cpus::kernel();
    std::string inner;
    fake::parallel({}, [&](int number) {
      if (number == 0) {
        cpus::set_in_kernel(original.view());
        inner = fake::rows(1, {.runtime = 1, .size = 1}, agreement);
      }
    });
    CHECK(inner == "ok");
  });
}

TEST_CASE("the program goes on with one warning if the system refuses to bind") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}}, [] {
    const fresh::Captured said;
    nestbind::placement::Place nowhere;
    static constexpr unsigned long kNone[1] = {0};
    nowhere.planned.mask = {sizeof kNone, kNone};
    fake::rows(1);
    const std::string before = cpus::in_kernel();
    fake::on_new_thread([&] {
      CHECK_FALSE(nestbind::binding::bind_self(nowhere.planned.mask));
      CHECK(t_thread.bound.bits == nullptr);
    });
    CHECK(cpus::in_kernel() == before);
    CHECK(said.text().empty());
  });
}
