// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "made_up.hpp"

using namespace nestbind;
using made_up::Looked;
using made_up::machine;
using made_up::rank;
using Sentences = std::vector<std::string>;

namespace {

job::Rank on(job::Rank rank, const std::vector<job::Core>& cores) {
  rank.cores = cores;
  return rank;
}

}  // namespace

TEST_CASE("ranks that are side by side give no finding") {
  CHECK(Looked({{on(rank(0, 2, 2, 0), machine(2, 4)), rank(1, 2, 2, 4)}, {}}).sentences().empty());
}

TEST_CASE("threads of two ranks on one processor are an overlap") {
  const Looked all({{rank(0, 2, 2, 0), rank(1, 2, 2, 2), rank(2, 2, 2, 0, "n1")}, {}});
  CHECK(all.sentences() == Sentences{"overlap n0: processors 2-3 have threads of ranks 0-1"});
  CHECK(job::overlaps(all.findings));
  CHECK(all.findings[0].cpus == job::Cpus{2, 3});
  CHECK(all.findings[0].ranks == Sentences{"0", "1"});
}

TEST_CASE("each set of overlapping ranks is reported once") {
  const Looked all({{rank(0, 1, 3, 0), rank(1, 1, 3, 1), rank(2, 1, 3, 2)}, {}});
  CHECK(all.sentences() == Sentences{"overlap n0: processor 1 has threads of ranks 0-1",
                                     "overlap n0: processor 2 has threads of ranks 0-2",
                                     "overlap n0: processor 3 has threads of ranks 1-2"});
}

TEST_CASE("several processes of one rank are not an overlap") {
  job::Rank child = rank(0, 2, 2, 0);
  child.process = 200;
  const Looked all({{rank(0, 2, 2, 0), child}, {}});
  CHECK(!job::overlaps(all.findings));
  CHECK(all.sentences() ==
        Sentences{"twice rank 0 has reports of several processes (100 on n0, 200 on n0): files of "
                  "several runs, or children of it"});
}

TEST_CASE("processes without a rank number can overlap, too") {
  job::Rank one = rank(0, 2, 2, 0);
  job::Rank two = rank(1, 2, 2, 0);
  one.rank = two.rank = "";
  CHECK(Looked({{one, two}, {}}).sentences() ==
        Sentences{"overlap n0: processors 0-3 have threads of ranks p100 and p101"});
}

TEST_CASE("a rank with more threads than processors is reported as crowded") {
  job::Rank crowded = rank(0, 2, 2, 0);
  crowded.threads[3].cpus = {2};
  CHECK(Looked({{crowded}, {}}).sentences() ==
        Sentences{"crowded n0: rank 0 has 4 threads on processors 0-2"});
  crowded.allowed = job::Cpus{0, 1, 2};
  CHECK(Looked({{crowded}, {}}).sentences() ==
        Sentences{"crowded n0: rank 0 has 4 threads on processors 0-2, and may use no other"});
}

TEST_CASE("an idle package is reported, and whether any rank may run there") {
  job::Rank only = on(rank(0, 2, 2, 0), machine(2, 4));
  CHECK(Looked({{only}, {}}).sentences() ==
        Sentences{"idle n0: package 1 is idle (processors 4-7)"});
  only.allowed = job::Cpus{0, 1, 2, 3};
  CHECK(Looked({{only}, {}}).sentences() ==
        Sentences{"idle n0: package 1 is idle (processors 4-7): no rank may run there"});
  only.allowed = job::Cpus{0, 1, 2, 3, 4};
  CHECK(Looked({{only}, {}}).sentences() ==
        Sentences{"idle n0: package 1 is idle (processors 4-7)"});
}

TEST_CASE("processors of a package that the launcher gave to no rank are reported") {
  job::Rank first = on(rank(0, 1, 1, 0), machine(1, 4));
  job::Rank second = rank(1, 1, 1, 1);
  first.allowed = job::Cpus{0};
  second.allowed = job::Cpus{1};
  first.part = {.local = 0, .of = 2, .by = "Open MPI", .kind = "own mask", .why = ""};
  second.part = {.local = 1, .of = 2, .by = "Open MPI", .kind = "own mask", .why = ""};
  CHECK(Looked({{first, second}, {}}).sentences() ==
        Sentences{
            "idle n0: processors 2-3 are idle: ranks may use only other processors of package 0"});
  second.allowed = job::Cpus{1, 2};
  CHECK(
      Looked({{first, second}, {}}).sentences() ==
      Sentences{"idle n0: processor 3 is idle: ranks may use only other processors of package 0"});
  second.part->kind = "divided";
  CHECK(Looked({{first, second}, {}}).sentences().empty());
}

TEST_CASE("processes without rank numbers are counted, and missing processes are reported") {
  job::Rank one = rank(0, 1, 1, 0);
  one.rank = "";
  one.part = {.local = 0, .of = 4, .by = "NESTBIND_RANKS", .kind = "divided", .why = ""};
  job::Rank two = rank(1, 1, 1, 1);
  two.rank = "";
  two.part = {.local = 1, .of = 4, .by = "NESTBIND_RANKS", .kind = "divided", .why = ""};
  CHECK(Looked({{one, two}, {}}).sentences() ==
        Sentences{"missing n0: no report of 2 of its 4 ranks: it is missing, no team was "
                  "forked there, or several ranks wrote to one file"});
  two.part->of = one.part->of = 2;
  CHECK(Looked({{one, two}, {}}).sentences().empty());
}

TEST_CASE("ranks with the same number on their node are reported") {
  job::Rank one = rank(0, 1, 1, 0);
  job::Rank two = rank(1, 1, 1, 0);
  one.part = {.local = 0, .of = 2, .by = "NESTBIND_RANKS", .kind = "divided", .why = ""};
  two.part = one.part;
  CHECK(Looked({{one, two}, {}}).sentences() ==
        Sentences{"overlap n0: processor 0 has threads of ranks 0-1",
                  "twice n0: ranks 0-1 have the same number on the node, 0, by NESTBIND_RANKS"});
  two.rank = "0";  // a child process of rank 0
  CHECK(Looked({{one, two}, {}}).sentences() ==
        Sentences{"missing no report of rank 1: it is missing, no team was forked there, or "
                  "several ranks wrote to one file",
                  "twice rank 0 has reports of several processes (100 on n0, 101 on n0): files of "
                  "several runs, or children of it"});
}

TEST_CASE("a rank that is not bound is reported") {
  job::Rank free = rank(1, 1, 1, 0);
  free.threads = {{{0}, {2, 3}, false}};
  const std::vector<job::Core> cores = machine(1, 4);
  CHECK(Looked({{on(free, cores)}, {}}).sentences() ==
        Sentences{"unbound n0: rank 1: 1 thread is not bound, and may run on processors 2-3",
                  "missing no report of rank 0: it is missing, no team was forked there, or "
                  "several ranks wrote to one file"});
  // A thread on one core is bound. In a team that is larger than its part, each thread may run on
  // the whole part.
  free.rank = "0";
  free.threads = {{{0}, {2}, false}};
  CHECK(Looked({{on(free, cores)}, {}}).sentences().empty());
  free.threads = {{{0, 0, 0}, {2, 3}, true}, {{0, 0, 1}, {2, 3}, true}};
  CHECK(Looked({{on(free, cores)}, {}}).sentences().empty());
}

TEST_CASE("a rank that differs from the others is reported with the first difference") {
  job::Rank spec = rank(3, 2, 2, 12);
  for (job::Team& team : spec.teams) {
    team.spec = "2,scatter";
  }
  job::Rank threads = rank(4, 2, 2, 16);
  threads.threads.pop_back();
  CHECK(Looked({{rank(0, 2, 2, 0), rank(1, 2, 2, 4), rank(2, 4, 1, 8), spec, threads}, {}})
            .sentences() ==
        Sentences{"differs rank 2 has the specification 4,scatter,1,subcompact; ranks 0-1,4 have "
                  "2,scatter,2,subcompact",
                  "differs rank 3 has the specification 2,scatter; ranks 0-1,4 have "
                  "2,scatter,2,subcompact",
                  "differs rank 4 has 3 threads; ranks 0-1 have 4 threads"});
  job::Rank sizes = rank(2, 2, 2, 8);
  sizes.teams.back().size = 1;
  CHECK(Looked({{rank(0, 2, 2, 0), rank(1, 2, 2, 4), sizes}, {}}).sentences() ==
        Sentences{"differs rank 2 has teams of 2x1/2; ranks 0-1 have 2x2"});
}

TEST_CASE("ranks without a report are reported as missing") {
  CHECK(Looked({{rank(1, 2, 2, 0), rank(4, 2, 2, 4)}, {}}).sentences() ==
        Sentences{"missing no report of ranks 0,2-3: it is missing, no team was forked there, or "
                  "several ranks wrote to one file"});
  job::Rank told = rank(0, 2, 2, 0);
  told.part = {0, 2, "MPICH", "divided", ""};
  job::Rank other = rank(2, 2, 2, 0, "n1");
  other.part = {0, 3, "MPICH", "divided", ""};
  CHECK(Looked({{told, rank(1, 2, 2, 4), other}, {}}).sentences() ==
        Sentences{"missing no report of ranks 3-4: it is missing, no team was forked there, or "
                  "several ranks wrote to one file"});
}

TEST_CASE("incomplete files are reported last") {
  CHECK(Looked({{rank(0, 2, 2, 0)}, {{"r7", "No such file or directory"}}}).sentences() ==
        Sentences{"file r7: No such file or directory"});
}

TEST_CASE("ranks are written as ranges and names") {
  CHECK(job::in_words({"3"}) == "rank 3");
  CHECK(job::in_words({"3", "4"}) == "ranks 3-4");
  CHECK(job::in_words({"0", "1", "2", "7", "x", "p17"}) == "ranks 0-2,7, x and p17");
}

TEST_CASE("a job of 20,000 ranks is summarised") {
  constexpr int kRanks = 20000;
  constexpr int kOnNode = 8;
  job::Job job;
  for (int number = 0; number < kRanks; ++number) {
    job.ranks.push_back(
        rank(number, 1, 1, number % kOnNode, "n" + std::to_string(number / kOnNode)));
  }
  const Looked all(std::move(job));
  CHECK(all.text().find("n1 to n2499 (2499 nodes): as n0, ranks 8-19999") != std::string::npos);
  CHECK(all.findings.empty());
}
