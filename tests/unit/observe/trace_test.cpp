// SPDX-License-Identifier: BSD-3-Clause
// Tests the events, their order, and the numbers of NESTBIND_TRACE.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "omp/sources.hpp"
#include "process/traced.hpp"
#include "sizes/told_sizes.hpp"

using nestbind::process::Traced;

namespace {

struct Line {
  int event;
  long numbers[3];
  std::string text;
};

std::vector<Line> lines(const std::string& file) {
  std::vector<Line> all;
  std::ifstream input(file);
  for (std::string row; std::getline(input, row);) {
    std::istringstream words(row);
    double time = 0;
    long thread = 0;
    Line line{};
    words >> time >> thread >> line.event >> line.numbers[0] >> line.numbers[1] >> line.numbers[2];
    REQUIRE(words);
    REQUIRE(thread > 0);
    words.get();
    std::getline(words, line.text);
    all.push_back(line);
  }
  return all;
}

int count(const std::vector<Line>& all, Traced event, long first, long second) {
  int found = 0;
  for (const Line& line : all) {
    found += line.event == static_cast<int>(event) && line.numbers[0] == first &&
                     line.numbers[1] == second
                 ? 1
                 : 0;
  }
  return found;
}

}  // namespace

TEST_CASE("a trace has the events") {
  char file[] = "/tmp/nestbind-unit-XXXXXX";
  close(mkstemp(file));
  const fresh::Variables variables = {{"OMP_NESTING_TEAM_SIZE", "2,scatter"},
                                      {"NESTBIND_MACHINE", fresh::machine("barcelona")},
                                      {"NESTBIND_TRACE", file},
                                      {"UNIT_FILE", file}};
  fresh::process(variables, [] {
    errno = ELOOP;
    nestbind::omp::who_acts(nestbind::omp::Source::kGomp, {});
    nestbind::omp::who_acts(nestbind::omp::Source::kOmpt, {});
    nestbind::placement::runtime_started(fake::calls(0));
    fake::rows(1, {.members = fake::Members::kKept});
    const auto all = lines(std::getenv("UNIT_FILE"));
    REQUIRE(all.size() == 9);
    CHECK(all[0].event == static_cast<int>(Traced::kBegins));
    CHECK(all[0].numbers[0] == getpid());
    CHECK(all[0].text == "2,scatter");
    CHECK(count({all[1]}, Traced::kStandsBack, 0,
                static_cast<long>(nestbind::omp::Why::kOnlyTool)) == 1);
    CHECK(count({all[2]}, Traced::kActs, 1, static_cast<long>(nestbind::omp::Why::kOnlyTool)) == 1);
    CHECK(all[3].event == static_cast<int>(Traced::kRuntime));
    CHECK(all[4].event == static_cast<int>(Traced::kFork));
    CHECK(all[4].numbers[0] == 1);
    std::vector<std::string> placed;
    for (const Line& line : all) {
      if (line.event == static_cast<int>(Traced::kPlaced)) {
        CHECK(line.numbers[0] > 0);
        placed.push_back(line.text.substr(0, line.text.find(' ')));
      }
    }
    CHECK(placed == std::vector<std::string>{"0", "1"});
    CHECK(count(all, Traced::kLeft, 1, 0) == 1);
    CHECK(count(all, Traced::kLeft, 1, 1) == 1);
  });
  unlink(file);
}

TEST_CASE("a trace that cannot be written is reported") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_TRACE", "/no/such/trace"}},
                 [] { CHECK_FALSE(nestbind::process::is_traced()); },
                 {.says = "nestbind: warning: the trace cannot be written to /no/such/trace: No "
                          "such file or directory"});
}

TEST_CASE("a long text is cut and its line still ends") {
  fresh::process({}, [] {
    char file[] = "/tmp/nestbind-unit-XXXXXX";
    close(mkstemp(file));
    REQUIRE(nestbind::process::begin_trace(file) == nullptr);
    nestbind::process::trace(Traced::kFork, 1, 2, 3, std::string(3000, 'x').c_str());
    nestbind::process::trace(Traced::kLeft, 4, 5);
    const auto all = lines(file);
    REQUIRE(all.size() == 2);
    CHECK(all[0].text.size() > 900);
    CHECK(all[1].numbers[1] == 5);
    unlink(file);
  });
}
