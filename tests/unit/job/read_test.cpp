// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "made_up.hpp"

using namespace nestbind;
using job::Job;

namespace {

Job read(const std::string& text) {
  Job job;
  job::read_report(text, "f", job);
  return job;
}

std::string fault(const std::string& text) {
  const Job job = read(text);
  return job.bad.empty() ? "" : job.bad[0].fault;
}

bool is_about(const std::string& fault, const std::string& key) {
  return fault.starts_with("line 1: \"" + key + "\"");
}

const std::string kOuter =
    R"({"spec": "2,scatter,2,subcompact", "process": 17, "host": "n0", "rank": 3, )"
    R"("node": {"allowed": [4, 5, 6, 7], "cores": [)"
    R"({"core": 4, "package": 1, "numa": 1, "cpus": [4]}, )"
    R"({"core": 5, "package": 1, "numa": null, "cpus": [5]}]}, "level": 1, "threads": [)"
    R"({"path": [0], "thread": 17, "cpus": [4], "bound": true, "pinned": true, "core": 4, "l3": null, "package": 1, "numa": 1}, )"
    R"({"path": [1], "thread": 18, "cpus": [6], "bound": true, "pinned": true, "core": 6, "l3": null, "package": 1, "numa": 1}]})"
    "\n";
const std::string kInner =
    R"({"spec": "2,scatter,2,subcompact", "process": 17, "host": "n0", "rank": 3, "level": 2, "threads": [)"
    R"({"path": [0, 0], "thread": 17, "cpus": [4], "bound": true, "pinned": true, "core": 4, "l3": null, "package": 1, "numa": 1}, )"
    R"({"path": [0, 1], "thread": 19, "cpus": [5], "bound": true, "pinned": true, "core": 5, "l3": null, "package": 1, "numa": 1}]})"
    "\n";

}  // namespace

TEST_CASE("a report gives a rank, its teams, and its threads with their deepest paths") {
  const Job job = read(kOuter + kInner);
  CHECK(job.bad.empty());
  REQUIRE(job.ranks.size() == 1);
  const job::Rank& rank = job.ranks[0];
  CHECK(rank.file == "f");
  CHECK(rank.host == "n0");
  CHECK(rank.node == "n0");
  CHECK(rank.process == 17);
  CHECK(rank.rank == "3");
  CHECK(rank.allowed == job::Cpus{4, 5, 6, 7});
  CHECK(rank.cores == std::vector<job::Core>{{4, 1, 1, {4}}, {5, 1, -1, {5}}});
  CHECK(rank.teams == std::vector<job::Team>{{"2,scatter,2,subcompact", {}, 2},
                                             {"2,scatter,2,subcompact", {0}, 2}});
  CHECK(rank.threads == std::vector<job::Thread>{{{0, 0}, {4}}, {{0, 1}, {5}}, {{1}, {6}}});
}

TEST_CASE("a rank may be a number, a text, or null") {
  const auto with = [](const std::string& value) {
    return read(R"({"spec": "2,scatter", "process": 17, "host": "n0", "rank": )" + value +
                R"(, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})")
        .ranks.at(0);
  };
  CHECK(job::name_of(with("0")) == "0");
  CHECK(job::number_of(with("0")) == 0);
  CHECK(job::name_of(with("\"a b\"")) == "a b");
  CHECK(job::number_of(with("\"a b\"")) == -1);
  CHECK(job::name_of(with("null")) == "p17");
  CHECK(job::number_of(with("null")) == -1);
}

TEST_CASE("a thread that was at two places is listed twice") {
  const Job job = read(
      R"({"spec": "2,scatter", "process": 1, "host": "h", "rank": 0, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})"
      "\n"
      R"({"spec": "3,scatter", "process": 1, "host": "h", "rank": 0, "level": 1, "threads": [{"path": [0], "cpus": [1], "bound": false}]})"
      "\n");
  REQUIRE(job.ranks.size() == 1);
  CHECK(job.ranks[0].threads == std::vector<job::Thread>{{{0}, {0}, true}, {{0}, {1}, false}});
}

TEST_CASE("processes of one file are separate ranks") {
  const Job job = read(
      R"({"spec": "2,scatter", "process": 1, "host": "h", "rank": null, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})"
      "\n"
      R"({"spec": "2,scatter", "process": 2, "host": "h", "rank": null, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})"
      "\n");
  CHECK(job.ranks.size() == 2);
}

TEST_CASE("a rank's part of the shared processors is read") {
  const auto part = [](const std::string& value) {
    return read(R"({"spec": "2,scatter", "process": 1, "host": "h", "rank": 3, "part": )" + value +
                R"(, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})")
        .ranks.at(0)
        .part;
  };
  CHECK(
      part(
          R"({"local": 1, "of": 4, "by": "Open MPI", "kind": "divided", "why": "x", "cpus": [4]})") ==
      job::Part{1, 4, "Open MPI", "divided", "x"});
  CHECK(
      part(
          R"({"local": null, "of": null, "by": "Flux", "kind": "whole", "why": "x", "cpus": null})") ==
      job::Part{-1, 0, "Flux", "whole", "x"});
  CHECK(!part("null"));
}

TEST_CASE("the launcher's name for the node wins") {
  const Job job = read(
      R"({"spec": "2,scatter", "process": 1, "host": "h", "rank": 0, "node": {"name": "n1"}, "level": 1, "threads": [{"path": [0], "cpus": [0]}]})");
  CHECK(job.ranks.at(0).node == "n1");
  CHECK(job.ranks.at(0).host == "h");
}

TEST_CASE("lines that describe no team are skipped") {
  CHECK(read(kOuter + "{\"loops\": []}\n{}\n").bad.empty());
  CHECK(fault("{\"loops\": []}\n") == "it has no team");
  CHECK(fault("") == "it has no team");
}

TEST_CASE("damaged lines are left out, and each file's first fault is reported") {
  const std::string cut = kInner.substr(0, kInner.size() / 2);
  const Job job = read(kOuter + cut);
  REQUIRE(job.ranks.size() == 1);
  CHECK(job.ranks[0].threads.size() == 2);
  CHECK(job.bad ==
        std::vector<job::BadFile>{{"f", "line 2: it is incomplete, or no object of JSON"}});
  CHECK(read("x\n" + kOuter + "y\n").bad ==
        std::vector<job::BadFile>{{"f", "line 1: it is incomplete, or no object of JSON"}});
  CHECK(read("x\n" + kOuter + "y\n").ranks.size() == 1);
}

TEST_CASE("an unexpected value is reported with its key") {
  const std::string begin =
      R"({"spec": "2,scatter", "process": 1, "host": "h", "rank": 0, "threads": )";
  for (
      const auto& [text, key] : std::vector<std::pair<std::string, std::string>>{
          {"[]", "threads"},
          {"{}", "threads"},
          {"[3]", "threads"},
          {"[{}]", "path"},
          {R"([{"path": []}])", "cpus"},
          {R"([{"path": [], "cpus": [1]}])", "path"},
          {R"([{"path": [0.5], "cpus": [1]}])", "path"},
          {R"([{"path": [-1], "cpus": [1]}])", "path"},
          {R"([{"path": [0], "cpus": [1048577]}])", "cpus"},
          {R"([{"path": [0], "cpus": [18446744073709551615]}])", "cpus"},
          {R"([{"path": [0], "cpus": "0-3"}])", "cpus"},
          {R"([{"path": [0], "cpus": [1], "core": "x"}])", "core"},
          {R"([{"path": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "cpus": [1]}])",
           "path"}}) {
    CHECK(is_about(fault(begin + text + "}"), key));
  }
  const std::string threads = R"("threads": [{"path": [0], "cpus": [0]}]})";
  CHECK(is_about(fault(R"({"process": 1, "host": "h", "rank": 0, )" + threads), "spec"));
  CHECK(is_about(fault(R"({"spec": "2", "process": -1, "host": "h", "rank": 0, )" + threads),
                 "process"));
  CHECK(is_about(fault(R"({"spec": "2", "process": 1, "host": 3, "rank": 0, )" + threads), "host"));
  CHECK(is_about(fault(R"({"spec": "2", "process": 1, "host": "h", "rank": [], )" + threads),
                 "rank"));
  for (const char* node :
       {"[]", R"({"cores": 3})", R"({"cores": [3]})", R"({"cores": [{}]})", R"({"allowed": 3})",
        R"({"name": 3})", R"({}, "part": 3)", R"({}, "part": {"local": "x"})",
        R"({}, "part": {"local": 1, "of": 2})"}) {
    CHECK(fault(R"({"spec": "2", "process": 1, "host": "h", "rank": 0, "node": )" +
                std::string(node) + ", " + threads) != "");
  }
  CHECK(fault(std::string(1 << 20, '[')) == "line 1: it is incomplete, or no object of JSON");
  CHECK(is_about(fault(begin + std::string(1 << 18, '[') + std::string(1 << 18, ']') + "}"),
                 "threads"));
}

TEST_CASE("characters of a report that are not printable ASCII become question marks") {
  const Job job = read(
      "{\"spec\": \"2\\u001b[2J\", \"process\": 1, \"host\": \"a\\nb\xc3\xa4\", \"rank\": "
      "\"\\u0007\", "
      "\"threads\": [{\"path\": [0], \"cpus\": [0]}]}");
  CHECK(job.ranks.at(0).host == "a?b??");
  CHECK(job.ranks.at(0).rank == "?");
  CHECK(job.ranks.at(0).teams.at(0).spec == "2?[2J");
}

TEST_CASE("ranks are sorted by their numbers") {
  Job job;
  for (const char* name : {"10", "", "9", "x", "0"}) {
    job.ranks.emplace_back().rank = name;
  }
  job::sort_ranks(job);
  std::vector<std::string> names;
  for (const job::Rank& rank : job.ranks) {
    names.push_back(rank.rank);
  }
  CHECK(names == std::vector<std::string>{"0", "9", "10", "", "x"});
}

TEST_CASE("a file with reports of 20,000 processes is read") {
  constexpr int kProcesses = 20000;
  std::string text;
  for (int process = 1; process <= kProcesses; ++process) {
    text += R"({"spec": "2", "host": "n0", "process": )" + std::to_string(process) +
            R"(, "threads": [{"path": [0], "cpus": [0]}]})" + "\n";
  }
  CHECK(read(text).ranks.size() == kProcesses);
}
