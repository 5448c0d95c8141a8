// SPDX-License-Identifier: BSD-3-Clause
// Tests the exact text of the report.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>

#include "helpers/captured.hpp"
#include "helpers/cpus.hpp"
#include "helpers/folder.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "observe/observer.hpp"
#include "observe/teams_report.hpp"

using namespace nestbind;

namespace {

fresh::Variables reporting(const std::string& how) {
  return {{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subcompact"}, {"NESTBIND_REPORT", how}};
}

void end_region() {
  static const PlannedPlace anywhere{};
  observe::tell_member_left({1, 0, 2, 4321, nullptr, &anywhere, true});
}

// One member of the team of thread 1 is on a slot. The other member may run anywhere, and its mask
// is not known.
void tell_team(const PlannerApi* planner = nullptr, int root = -1) {
  static const mask::MaskBuffer pair = cpus::of({8, 9, 10, 16});
  static const PlannedPlace on_a_slot{{}, 4, 0, true, 4, 1, 1, 0};
  static const PlannedPlace anywhere{{}, 5, 0, false, 5, 1, 1, 0};
  static spec::Spec spec;
  spec::Fault fault;
  REQUIRE(spec::parse("2,scatter,2,subcompact", spec, fault));
  const int primary[] = {1};
  const observe::Member members[] = {{2, 0, 2, 4321, &pair, &on_a_slot, true},
                                     {2, 1, 2, 12345678, nullptr, &anywhere, true}};
  observe::tell_team_placed({&spec, 2, primary, 2, members, nullptr, planner, nullptr, root});
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string heading(const std::string& rank = "") {
  return "nestbind: process " + std::to_string(getpid()) + " on " + host_name() + rank +
         "; cores, caches, packages and NUMA nodes by the machine's own numbers\n";
}

constexpr char kText[] =
    "nestbind: level 2, team of 2 of thread 1\n"
    "  path           thread  processors        core    L3  package  NUMA\n"
    "  1.0              4321  8-10,16              4     1        1     0\n"
    "  1.1          12345678  ?                    -     -        -     -\n";

std::string json(const std::string& rank = "null") {
  return "{\"spec\": \"2,scatter,2,subcompact\", \"process\": " + std::to_string(getpid()) +
         ", \"host\": \"" + host_name() + "\", \"rank\": " + rank +
         ", \"level\": 2, \"threads\": ["
         "{\"path\": [1, 0], \"thread\": 4321, \"cpus\": [8,9,10,16], \"bound\": true, \"pinned\": "
         "true, "
         "\"core\": 4, \"l3\": 1, \"package\": 1, \"numa\": 0}, "
         "{\"path\": [1, 1], \"thread\": 12345678, \"cpus\": [], \"bound\": true, \"pinned\": "
         "false, "
         "\"core\": null, \"l3\": null, \"package\": null, \"numa\": null}]}\n";
}

}  // namespace

TEST_CASE("the report can be text") {
  fresh::process(reporting("text"), [] {
    const fresh::Captured said;
    tell_team();
    tell_team();
    end_region();
    CHECK(said.text() == heading() + kText + kText);
  });
}

TEST_CASE("the report has the root thread of a team") {
  fresh::process(reporting("text,now"), [] {
    const fresh::Captured said;
    tell_team(nullptr, 2);
    CHECK(said.text().find("nestbind: root 2, level 2, team of 2 of thread 1\n") !=
          std::string::npos);
  });
  fresh::process(reporting("json,now"), [] {
    const fresh::Captured said;
    tell_team(nullptr, 2);
    CHECK(said.text().find(R"(, "root": 2, "level": 2, "threads")") != std::string::npos);
  });
  fresh::process(reporting("text"), [] {
    const fresh::Captured said;
    tell_team(nullptr, 1);
    tell_team(nullptr, 0);
    end_region();
    CHECK(said.text().find("root 0") < said.text().find("root 1"));
  });
}

TEST_CASE("the report has the rank") {
  const fresh::Variables ranks = {{"6", "6"}, {"0", "0"}, {"06", "\"06\""}, {"a\"b\n", "\"a?b?\""}};
  for (const auto& [rank, in_json] : ranks) {
    auto variables = reporting("json");
    variables.emplace_back("SLURM_PROCID", rank);
    variables.emplace_back("UNIT_RANK", in_json);
    fresh::process(variables, [] {
      const fresh::Captured said;
      tell_team();
      end_region();
      CHECK(said.text() == json(std::getenv("UNIT_RANK")));
    });
  }
  auto variables = reporting("text");
  variables.emplace_back("SLURM_PROCID", "17");
  fresh::process(variables, [] {
    const fresh::Captured said;
    tell_team();
    end_region();
    CHECK(said.text() == heading(", rank 17") + kText);
  });
}

TEST_CASE("the first JSON object has the node") {
  auto variables = reporting("json");
  variables.emplace_back("SLURMD_NODENAME", "n0 \"");
  fresh::process(variables, [] {
    const fresh::Captured said;
    static PlannerApi planner{};
    planner.node = [](const PlanHandle*) { return strdup("\"cores\": []"); };
    tell_team(&planner);
    tell_team(&planner);
    end_region();
    std::string first = json();
    first.insert(first.find(", \"level\""), ", \"node\": {\"name\": \"n0 ?\", \"cores\": []}");
    CHECK(said.text() == first + json());
  });
}

TEST_CASE("the report can be JSON") {
  fresh::process(reporting("json"), [] {
    const fresh::Captured said;
    tell_team();
    end_region();
    CHECK(said.text() == json());
  });
}

TEST_CASE("facts about all teams are reported once before the first team") {
  auto variables = reporting("text");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  variables.emplace_back("OMP_PROC_BIND", "close");
  fresh::process(variables, [] {
    const fresh::Captured said;
    tell_team();
    tell_team();
    end_region();
    CHECK(said.text() == heading() + "nestbind: dry run on " + fresh::machine("barcelona") +
                             ": nothing is bound\n"
                             "nestbind: OMP_PROC_BIND is set too; the specification wins\n" +
                             kText + kText);
  });
}

TEST_CASE("the report can go to its own file") {
  const Folder folder;
  auto variables = reporting("json:" + folder.path() + "/%p.%r.%%.%x");
  variables.emplace_back("SLURM_PROCID", "6");
  variables.emplace_back("UNIT_FOLDER", folder.path());
  fresh::process(variables, [] {
    const std::string file =
        std::getenv("UNIT_FOLDER") + ("/" + std::to_string(getpid())) + ".6.%.%x";
    std::ofstream(file) << "of an earlier process\n";
    tell_team();
    tell_team();
    end_region();
    CHECK(content(file) == json("6") + json("6"));
  });
}

TEST_CASE("a report that cannot be written is reported once") {
  fresh::process(reporting("text:/no/such/folder/report"), [] {
    const fresh::Captured said;
    tell_team();
    tell_team();
    end_region();
    CHECK(said.text() ==
          "nestbind: warning: the report cannot be written to /no/such/folder/report: No such file "
          "or directory\n");
  });
}

TEST_CASE("a file that the program writes to is not emptied") {
  const Folder folder;
  auto variables = reporting("json:" + folder.path() + "/output");
  variables.emplace_back("UNIT_FOLDER", folder.path());
  fresh::process(variables, [] {
    const std::string file = std::getenv("UNIT_FOLDER") + std::string("/output");
    const int before = dup(STDERR_FILENO);
    REQUIRE(freopen(file.c_str(), "w", stderr) != nullptr);
    fputs("the program's\n", stderr);
    fflush(stderr);
    tell_team();
    end_region();
    dup2(before, STDERR_FILENO);
    CHECK(content(file) == "the program's\n" + json());
  });
}

TEST_CASE("the report has a first team with real threads") {
  auto variables = reporting("text");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  fresh::process(variables, [] {
    const fresh::Captured said;
    int threads[2];
    fake::parallel({}, [&](int number) { threads[number] = gettid(); });
    char expected[400];
    snprintf(expected, sizeof expected,
             "nestbind: dry run on %s: nothing is bound\n"
             "nestbind: level 1, team of 2\n"
             "  path           thread  processors        core    L3  package  NUMA\n"
             "  0            %8d  0                    0     0        0     0\n"
             "  1            %8d  8                    8     2        2     2\n",
             fresh::machine("barcelona").c_str(), threads[0], threads[1]);
    CHECK(said.text() == heading() + expected);
  });
}

TEST_CASE("a thread that is not bound is reported with the slot that it would have") {
  auto variables = reporting("text");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  fresh::process(variables, [] {
    const fresh::Captured said;
    fake::parallel({.size = 1}, [](int) {});
    char expected[400];
    snprintf(expected, sizeof expected,
             "nestbind: dry run on %s: nothing is bound\n"
             "nestbind: level 1, team of 1\n"
             "  path           thread  processors        core    L3  package  NUMA\n"
             "  0            %8d  0-15                 0     0        0     0  not bound\n",
             fresh::machine("barcelona").c_str(), gettid());
    CHECK(said.text() == heading() + expected);
  });
  variables[1].second = "json";
  fresh::process(variables, [] {
    const fresh::Captured said;
    fake::parallel({.size = 1}, [](int) {});
    CHECK(said.text().find("\"bound\": false, \"pinned\": true, \"core\": 0,") !=
          std::string::npos);
  });
}

TEST_CASE("a forked child reports only its own teams") {
  fresh::process(reporting("json"), [] {
    const fresh::Captured said;
    tell_team();
    end_region();
    const std::string parents = json();
    tell_team();  // this team is reported at the end of the region
    const pid_t child = fork();
    if (child == 0) {
      end_region();
      const bool is_silent = said.text() == parents;
      tell_team();
      end_region();
      _exit(is_silent && said.text() == parents + json() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    const std::string both = said.text();
    end_region();
    CHECK(said.text() == both + parents);
  });
}

TEST_CASE("a forked child also reports teams that its parent has reported") {
  auto variables = reporting("json,now");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  fresh::process(variables, [] {
    const fresh::Captured said;
    fake::rows(2);
    fake::rows(2);
    CHECK(fresh::count(said.text(), "\"spec\"") == 3);
    const pid_t child = fork();
    if (child == 0) {
      fake::rows(2);
      fake::rows(2);
      _exit(fresh::count(said.text(), "\"process\": " + std::to_string(getpid()) + ",") == 3 ? 0
                                                                                             : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    fake::rows(2);
    CHECK(fresh::count(said.text(), "\"spec\"") == 6);
  });
}

TEST_CASE("nothing is reported before the outermost region ends") {
  auto variables = reporting("text");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  fresh::process(variables, [] {
    const fresh::Captured said;
    std::string in_between = "?";
    fake::parallel({}, [&](int number) {
      fake::parallel({}, [](int) {});
      if (number == 0) {
        in_between = said.text();
      }
    });
    CHECK(in_between.empty());
    CHECK(fresh::count(said.text(), "team of 2") == 3);
    const auto at = [&](const char* text) { return said.text().find(text); };
    CHECK(at("level 1, team of 2\n") < at("team of 2 of thread 0\n"));
    CHECK(at("team of 2 of thread 0\n") < at("team of 2 of thread 1\n"));
    const std::string all = said.text();
    fake::rows(2);
    CHECK(said.text() == all);
    fake::parallel({.size = 3}, [](int) {});
    CHECK(said.text().substr(0, all.size()) == all);
    CHECK(fresh::count(said.text().substr(all.size()), "team of") == 1);
    CHECK(said.text().find("level 1, team of 3\n") == all.size() + 10);
  });
}

TEST_CASE("each team is reported at its fork if the report has the word now") {
  fresh::process(reporting("text,now"), [] {
    const fresh::Captured said;
    tell_team();
    CHECK(said.text() == heading() + kText);
    tell_team();
    CHECK(said.text() == heading() + kText + kText);
    end_region();
    CHECK(said.text() == heading() + kText + kText);
  });
}

TEST_CASE("waiting teams are reported at a fork after a quiet time") {
  fresh::process(reporting("text"), [] {
    const fresh::Captured said;
    tell_team();
    observe::tell_forked({2, nullptr});
    CHECK(said.text().empty());
    CHECK(observe::waiting_teams_are_quiet(0));
    CHECK_FALSE(observe::waiting_teams_are_quiet(1000 * 1000));
    observe::report_waiting_teams();
    CHECK_FALSE(observe::waiting_teams_are_quiet(0));
    CHECK(said.text() == heading() + kText);
  });
}

TEST_CASE("waiting teams are reported early if they have too many members") {
  fresh::process(reporting("json"), [] {
    const fresh::Captured said;
    for (int i = 0; i < 32768; ++i) {
      tell_team();
    }
    CHECK(said.text().empty());
    tell_team();
    CHECK(fresh::count(said.text(), "\n") == 32769);
    tell_team();
    CHECK(fresh::count(said.text(), "\n") == 32769);
  });
}

TEST_CASE("waiting teams are reported at the end of the process") {
  fresh::process(reporting("text"), [] { tell_team(); },
                 {.status = 0, .says = std::string(kText).substr(0, 30)});
}

TEST_CASE("the report is a table if nobody can draw the picture") {
  fresh::process(reporting("picture"), [] {
    const fresh::Captured said;
    tell_team();
    end_region();
    CHECK(said.text() == heading() + kText);
  });
}

TEST_CASE("the picture has real teams") {
  auto variables = reporting("picture");
  variables.emplace_back("NESTBIND_MACHINE", fresh::machine("barcelona"));
  variables.emplace_back("LC_ALL", "C");
  fresh::process(variables, [] {
    const fresh::Captured said;
    fake::rows(2);
    CHECK(said.text().find("nestbind: 2,scatter,2,subcompact: 3 teams\n") != std::string::npos);
    for (const char* path : {" 0.0 ", " 0.1 ", " 1.0 ", " 1.1 "}) {
      CHECK(fresh::count(said.text(), path) == 1);
    }
    CHECK(said.text().find("level 1") == std::string::npos);
  });
}
