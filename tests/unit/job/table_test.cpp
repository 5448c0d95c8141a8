// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "job/job_nodes.hpp"
#include "made_up.hpp"

using namespace nestbind;
using made_up::Looked;
using made_up::machine;
using made_up::rank;

namespace {

job::Rank rank_on(job::Rank rank, const std::vector<job::Core>& cores) {
  rank.cores = cores;
  return rank;
}

// Each node has 4 packages of 4 cores, and a rank for each package.
job::Job large(int nodes) {
  job::Job job;
  for (int number = 0; number < 4 * nodes; ++number) {
    job.ranks.push_back(rank_on(
        rank(number, 2, 2, number % 4 * 4, "n" + std::to_string(number / 4)), machine(4, 4)));
  }
  return job;
}

}  // namespace

TEST_CASE("each processor has a line, and each thread a cell") {
  job::Job job{{rank_on(rank(0, 2, 2, 0), machine(2, 4)), rank(1, 2, 2, 2)}, {}};
  CHECK(Looked(job).text() == R"(2 ranks on 1 node, 8 threads: 2,scatter,2,subcompact

n0: ranks 0-1; 8 threads on 6 of 8 processors
  package 0, NUMA node 0
    0  0:0.0
    1  0:0.1
    2  0:1.0  1:0.0  !
    3  0:1.1  1:0.1  !
  package 1, NUMA node 1
    4  1:1.0
    5  1:1.1
    6  .
    7  .

overlap n0: processors 2-3 have threads of ranks 0-1
)");
}

TEST_CASE("hardware threads of one core, and threads on several cores, are shown") {
  job::Rank one = rank(0, 1, 2, 0);
  one.threads = {{{0, 0}, {0, 1}}, {{0, 1}, {2}}, {{1}, {0, 1, 2, 3}}, {{2}, {}}};
  one.teams = {{"3,scatter", {}, 3}};
  CHECK(Looked({{rank_on(one, machine(1, 2, 2))}, {}}).text() ==
        R"(1 rank on 1 node, 4 threads: 3,scatter

n0: rank 0; 4 threads on 3 of 4 processors
  package 0, NUMA node 0
    0  core 0  0:0.0
    1  core 0  0:0.0
    2  core 1  0:0.1
    3  core 1  .
  place not known: 0:2
  on 0-3: 0:1

nothing is wrong: no two ranks share a processor, and all are alike
)");
}

TEST_CASE("the threads' processors are shown if the machine is not known") {
  job::Rank one = rank(0, 1, 2, 10);
  one.seen = {{3, 1, -1, {11}}};
  CHECK(Looked({{one}, {}}).text() == R"(1 rank on 1 node, 2 threads: 1,scatter,2,subcompact

n0: rank 0; 2 threads on 2 processors
  package 1
    11  0:0.1
  package not known
    10  0:0.0

nothing is wrong: no two ranks share a processor, and all are alike
)");
}

TEST_CASE("the ranks' parts of the shared processors are shown") {
  job::Job job;
  for (int number = 0; number < 4; ++number) {
    job::Rank& one = job.ranks.emplace_back(rank(number, 1, 1, number));
    one.part = {number, 4, "MPICH", number == 2 ? "own mask" : "divided", "why"};
  }
  job.ranks[3].part.reset();
  CHECK(Looked(job).text() == R"(4 ranks on 1 node, 4 threads: 1,scatter,1,subcompact

n0: ranks 0-3; 4 threads on 4 processors
  divided: ranks 0-1
  own mask: rank 2
  package not known
    0  0:0.0
    1  1:0.0
    2  2:0.0
    3  3:0.0

nothing is wrong: no two ranks share a processor, and all are alike
)");
  CHECK(Looked(job).json().find(
            R"("part":{"local":1,"of":4,"by":"MPICH","kind":"divided","why":"why"}})") !=
        std::string::npos);
}

TEST_CASE("long tables are folded") {
  const Looked all(large(3));
  CHECK(all.text() == R"(12 ranks on 3 nodes, 48 threads: 2,scatter,2,subcompact

n0: ranks 0-3; 16 threads on 16 of 16 processors
  package 0, NUMA node 0
     0  0:0.0
     1  0:0.1
     2  0:1.0
     3  0:1.1
  package 1, NUMA node 1: processors 4-7, alike, 1:0.0 to 1:1.1
  package 2, NUMA node 2: processors 8-11, alike, 2:0.0 to 2:1.1
  package 3, NUMA node 3: processors 12-15, alike, 3:0.0 to 3:1.1

n1 and n2: as n0, ranks 4-11

nothing is wrong: no two ranks share a processor, and all are alike
)");
  const std::string whole = all.text(true);
  CHECK(std::ranges::count(whole, '\n') > 60);
  CHECK(whole.find("\n    15  11:1.1\n") != std::string::npos);
}

TEST_CASE("groups that differ are not folded") {
  job::Job job = large(5);
  std::swap(job.ranks[9].threads[0].cpus, job.ranks[9].threads[1].cpus);
  const std::string text = Looked(job).text();
  CHECK(text.find("\nn1: as n0, ranks 4-7\n") != std::string::npos);
  CHECK(text.find("\nn2: ranks 8-11; 16 threads on 16 of 16 processors\n") != std::string::npos);
  CHECK(text.find("\n     4  9:0.1\n     5  9:0.0\n") != std::string::npos);
  CHECK(text.find("\nn3: ranks 12-15; ") != std::string::npos);
  CHECK(text.find("\nn4: as n3, ranks 16-19\n") != std::string::npos);
}

TEST_CASE("idle processors in a row, and idle packages, are folded into a line") {
  job::Rank one = rank_on(rank(0, 1, 2, 0), machine(2, 64));
  const std::string text = Looked({{one}, {}}).text();
  CHECK(text == R"(1 rank on 1 node, 2 threads: 1,scatter,2,subcompact

n0: rank 0; 2 threads on 2 of 128 processors
  package 0, NUMA node 0
      0  0:0.0
      1  0:0.1
      2 to 63  .
  package 1, NUMA node 1: processors 64-127, idle

idle    n0: package 1 is idle (processors 64-127)
)");
}

TEST_CASE("groups have a step if all their cells differ by the same numbers") {
  job::Job job{{rank(0, 1, 1, 0), rank(1, 1, 1, 0), rank(3, 1, 1, 0)}, {}};
  const auto group = [](const std::vector<job::Cell>& cells) {
    job::Group made;
    for (const job::Cell& cell : cells) {
      made.processors.push_back({.cpu = 0, .core = -1, .cells = {cell}});
    }
    return made;
  };
  using job::Step;
  CHECK(step_between(job, group({{0, {0}}, {0, {1}}}), group({{1, {0}}, {1, {1}}})) == Step{0, 1});
  CHECK(step_between(job, group({{1, {0}}}), group({{2, {0}}})) == Step{0, 2});
  CHECK(step_between(job, group({{0, {0, 0}}}), group({{0, {1, 0}}})) == Step{1, 1});
  CHECK(!step_between(job, group({{0, {0, 0}}}), group({{1, {1, 0}}})));
  CHECK(!step_between(job, group({{0, {0}}, {0, {1}}}), group({{1, {0}}, {2, {1}}})));
  CHECK(!step_between(job, group({{0, {0}}}), group({{0, {0, 0}}})));
  CHECK(!step_between(job, group({{0, {0}}}), group({{0, {0}}, {0, {1}}})));
}

TEST_CASE("cells have the colour of their rank") {
  const Looked all({{rank(0, 1, 1, 0), rank(1, 1, 1, 1)}, {}});
  std::vector<show::Span> cells;
  for (const show::Line& line : job::lines_of({all.job, all.nodes, all.findings}, {}, false)) {
    for (const show::Span& span : line) {
      if (span.team >= 0) {
        cells.push_back(span);
      }
    }
  }
  CHECK(cells == std::vector<show::Span>{{"0:0.0", 0}, {"1:0.0", 1}});
}

TEST_CASE("JSON has the same facts as the table") {
  job::Rank one = rank_on(rank(0, 1, 1, 0), {{0, 0, -1, {0}}});
  job::Rank two = rank(1, 1, 1, 0);
  one.allowed = job::Cpus{0};
  CHECK(Looked({{one, two}, {}}).json() ==
        R"({"ranks": [
  {"rank":0,"node":"n0","host":"n0","process":100,"file":"r0","spec":"1,scatter,1,subcompact","sizes":"1x1","threads":1,"cpus":[0],"allowed":[0],"part":null},
  {"rank":1,"node":"n0","host":"n0","process":101,"file":"r1","spec":"1,scatter,1,subcompact","sizes":"1x1","threads":1,"cpus":[0],"allowed":null,"part":null}],
 "nodes": [
  {"node":"n0","processors":[{"cpu":0,"core":0,"package":0,"numa":null,"threads":[{"rank":0,"path":[0,0]},{"rank":1,"path":[0,0]}]}],"wide":[]}],
 "findings": [
  {"kind":"overlap","node":"n0","ranks":[0,1],"cpus":[0],"text":"processor 0 has threads of ranks 0-1"}]}
)");
  CHECK(nlohmann::json::parse(Looked({{}, {{"a\"b", "\xff"}}}).json())["findings"][0]["text"]
            .get<std::string>()
            .starts_with("a\"b: "));
}
