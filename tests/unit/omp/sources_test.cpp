// SPDX-License-Identifier: BSD-3-Clause
#include "omp/sources.hpp"

#include <catch2/catch.hpp>

#include "helpers/captured.hpp"
#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "omp/runtimes.hpp"

using namespace nestbind::omp;

namespace {

struct Decision {
  Source source;
  Facts facts;
  bool acts;
  Why why;
};

constexpr Source kAll[] = {Source::kGomp, Source::kOmpt, Source::kPomp};

}  // namespace

TEST_CASE("the acting source is right in every case") {
  const Decision decisions[] = {
      {Source::kGomp, {.is_gnu = true}, true, Why::kOnlyEntries},
      {Source::kOmpt, {.is_gnu = true}, false, Why::kOnlyEntries},
      {Source::kGomp, {}, false, Why::kOnlyTool},
      {Source::kOmpt, {}, true, Why::kOnlyTool},
      {Source::kGomp, {.is_by_entries = true}, true, Why::kEntries},
      {Source::kOmpt, {.is_by_entries = true}, false, Why::kEntries},
      {Source::kGomp, {.is_gnu = true, .is_by_entries = true}, true, Why::kEntries},
      {Source::kPomp, {}, true, Why::kNoOtherSource},
      {Source::kPomp, {.is_gnu = true}, true, Why::kNoOtherSource},
      {Source::kPomp, {.is_by_entries = true}, true, Why::kNoOtherSource},
      {Source::kPomp, {.is_told = true}, false, Why::kOtherTold},
  };
  for (const Decision& decision : decisions) {
    INFO(static_cast<int>(decision.source) << " " << static_cast<int>(decision.why));
    const Verdict verdict = who_acts(decision.source, decision.facts);
    CHECK(verdict.acts == decision.acts);
    CHECK(verdict.why == decision.why);
  }
  for (const Source source : kAll) {
    const Verdict verdict = who_acts(source, {.is_reachable = false, .is_told = true});
    CHECK_FALSE(verdict.acts);
    CHECK(verdict.why == Why::kUnreachable);
    CHECK(who_acts(source, {.is_told = true}).why == Why::kOtherTold);
  }
}

TEST_CASE("two sources of one runtime never act at the same time") {
  for (int bits = 0; bits < 8; ++bits) {
    const Facts facts{
        .is_gnu = (bits & 1) != 0, .is_by_entries = (bits & 2) != 0, .is_told = (bits & 4) != 0};
    CHECK_FALSE((who_acts(Source::kGomp, facts).acts && who_acts(Source::kOmpt, facts).acts));
  }
}

TEST_CASE("entries report the forks of a runtime that no other source has reported") {
  fresh::process({}, [] {
    CHECK(told_by_entries(fake::calls(0)) == nullptr);
    const Calls same = fake::calls(0);
    CHECK(tell_by_entries(fake::calls(0)));
    CHECK(told_by_entries(same) == &fake::calls(0));
    CHECK(told_by_entries(fake::calls(1)) == nullptr);
  });
  fresh::process({}, [] {
    note_started(fake::calls(0));
    const Calls same = fake::calls(0);
    CHECK_FALSE(tell_by_entries(same));
    CHECK(told_by_entries(same) == nullptr);
  });
}

TEST_CASE("a runtime that the user did not ask for is reported once") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_RUNTIME", "llvm"}}, [] {
    const fresh::Captured said;
    check_wanted(fake::calls(0));
    check_wanted(fake::calls(1));
    CHECK(fresh::count(said.text(), "asks for LLVM's runtime") == 1);
  });
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}}, [] {
    const fresh::Captured said;
    check_wanted(fake::calls(0));
    CHECK(said.text().empty());
  });
}
