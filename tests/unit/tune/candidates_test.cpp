// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "cli/tune/study.hpp"

using namespace nestbind::cli::tune;

namespace {

std::vector<std::string> names_of(const std::vector<Candidate>& candidates) {
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates) {
    names.push_back(candidate.name);
  }
  return names;
}

using Names = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("candidates without a shape keep the program's own sizes") {
  const auto candidates = layouts({{{}, {"2,scatter", "2,compact", "2,scatter"}}});
  CHECK(names_of(candidates) == Names{"unbound", "OMP_PROC_BIND=spread,close",
                                      "OMP_PROC_BIND=close,close", "2,scatter", "2,compact"});
  CHECK(candidates[0].variables.empty());
  CHECK_FALSE(candidates[1].needs_library());
  CHECK(candidates[1].variables ==
        Variables{{"OMP_PROC_BIND", "spread,close"}, {"OMP_PLACES", "cores"}});
  CHECK(candidates[3].needs_library());
  CHECK(candidates[3].variables.empty());
}

TEST_CASE("each shape has its own candidates") {
  const auto candidates = layouts({{{4, 4}, {"4,scatter,4,compact"}}, {{16}, {}}});
  CHECK(names_of(candidates) == Names{"unbound", "unbound 4x4", "OMP_PROC_BIND=spread,close 4x4",
                                      "OMP_PROC_BIND=close,close 4x4", "4,scatter,4,compact",
                                      "unbound 16", "OMP_PROC_BIND=spread,close 16",
                                      "OMP_PROC_BIND=close,close 16"});
  CHECK(candidates[1].variables ==
        Variables{{"OMP_NUM_THREADS", "4,4"}, {"OMP_MAX_ACTIVE_LEVELS", "2"}});
}

TEST_CASE("a layout has candidates with pairs of a schedule and of balancing between ranks") {
  Candidate layout;
  layout.name = "4,scatter";
  layout.spec = "4,scatter";
  const auto candidates = schedules(layout, true);
  REQUIRE(candidates.size() == 71 + 28);
  int with_hybrid = 0;
  for (std::size_t i = 71; i < candidates.size(); ++i) {
    REQUIRE_FALSE(candidates[i].variables.empty());
    CHECK(candidates[i].variables.back().first == "NESTBIND_BALANCE_ACROSS");
    CHECK(candidates[i].spec == "4,scatter");
    with_hybrid += candidates[i].schedule == "hybrid" ? 1 : 0;
  }
  CHECK(candidates[71].schedule.empty());
  CHECK(candidates[71].variables.back().second == "off");
  CHECK(with_hybrid == 4);
  CHECK(script_line(candidates[71], "", "").find("NESTBIND_BALANCE_ACROSS=off") !=
        std::string::npos);
}

TEST_CASE("a layout has candidates with different schedules") {
  Candidate layout;
  layout.name = layout.spec = "4,scatter,4,compact";
  const auto candidates = schedules(layout, false);
  CHECK(candidates.size() == 71);
  CHECK(candidates[0].name == "the program's own");
  CHECK(candidates[0].schedule.empty());
  CHECK(candidates[2].variables == Variables{{"OMP_SCHEDULE", "dynamic,8"}});
  CHECK(candidates[4].schedule == "hybrid");
  CHECK(candidates[5].schedule == "hybrid,f=0,chunk=1");
  CHECK(candidates[14].schedule == "hybrid,f=0.125,chunk=2");
  CHECK(candidates[68].schedule == "hybrid,f=0.875,chunk=128");
  CHECK(candidates[69].schedule == "hybrid,f=1");
  CHECK(candidates[70].schedule == "balanced");
  for (const Candidate& candidate : candidates) {
    CHECK(candidate.spec == "4,scatter,4,compact");
  }
}

TEST_CASE("the job script's line starts the candidate") {
  Candidate candidate;
  CHECK(script_line(candidate, "--smt=2 ", "0-3").empty());
  candidate.spec = "2,scatter";
  CHECK(script_line(candidate, "", "") == "eval \"$(nestbind run --print-env 2,scatter)\" || exit");
  candidate.schedule = "hybrid";
  CHECK(script_line(candidate, "--smt=2 ", "") ==
        "eval \"$(nestbind run --print-env --smt=2 --schedule=hybrid 2,scatter)\" || exit");
  candidate.spec.clear();
  CHECK(script_line(candidate, "", "") ==
        "eval \"$(nestbind run --print-env --schedule=hybrid)\" || exit");
  Candidate native;
  native.variables = {{"OMP_PROC_BIND", "spread,close"}, {"OMP_PLACES", "cores"}};
  CHECK(script_line(native, "--smt=2 ", "0-3") ==
        "taskset -cp 0-3 $$ >/dev/null; export OMP_PROC_BIND=spread,close OMP_PLACES=cores");
}
