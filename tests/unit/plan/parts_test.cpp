// SPDX-License-Identifier: BSD-3-Clause
// The expected parts are derived by hand.
#include "plan/parts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <string>

#include "mask/cpu_list.hpp"
#include "planned.hpp"
#include "spec/spec.hpp"

using namespace nestbind;

namespace {

std::string parts(const std::string& machine, int ranks, const std::string& text,
                  const std::string& cpus = "") {
  spec::Spec spec;
  spec::Fault fault;
  REQUIRE(spec::parse(text, spec, fault));
  const spec::Need need = spec::need_of(spec);
  const machine::Topology topology = planned::topology({.machine = machine, .cpus = cpus});
  std::string all;
  for (const auto& part :
       plan::make_parts(topology, ranks, need.threads, need.is_open, machine::CoreChoice::kAuto)) {
    all += (all.empty() ? "" : " / ") + mask::list(part);
  }
  return all;
}

}  // namespace

TEST_CASE("ranks get whole NUMA nodes if there are enough") {
  const std::string barcelona = "barcelona";  // 4 packages of 4 cores
  CHECK(parts(barcelona, 1, "2,scatter") == "0-15");
  CHECK(parts(barcelona, 2, "numa,scatter,core,subcompact") == "0-7 / 8-15");
  CHECK(parts(barcelona, 3, "numa,scatter,core,subcompact") == "0-7 / 8-11 / 12-15");
  CHECK(parts(barcelona, 4, "2,scatter,2,subcompact") == "0-3 / 4-7 / 8-11 / 12-15");
  CHECK(parts(barcelona, 8, "2,scatter,2,subcompact") ==
        "0-1 / 2-3 / 4-5 / 6-7 / 8-9 / 10-11 / 12-13 / 14-15");
}

TEST_CASE("ranks get whole caches of equal size in all, if caches have different sizes") {
  const std::string chips = "0-2,6-8,12-26,30-32";  // four chips of six cores; two have two caches
  CHECK(parts("pack:1 [numa] l3:6 core:6 pu:1", 4, "auto", chips) ==
        "0-2,6-8 / 12-17 / 18-23 / 24-26,30-32");
  CHECK(parts("pack:1 [numa] l3:6 core:6 pu:1", 2, "auto", chips) == "0-2,6-8,12-17 / 18-26,30-32");
}

TEST_CASE("each rank gets slots for its whole specification, even if packages are cut") {
  // Three ranks of five threads need 15 of 16 slots.
  CHECK(parts("barcelona", 3, "5,scatter") == "0-4 / 5-9 / 10-15");
  CHECK(parts("barcelona", 3, "100,scatter") == "0-4 / 5-9 / 10-15");
}

TEST_CASE("ranks get whole cores if there are enough") {
  CHECK(parts("nehalem-sun", 2, "4,scatter") == "0-3,8-11 / 4-7,12-15");
  CHECK(parts("nehalem-sun", 4, "4,scatter") == "0-1,8-9 / 2-3,10-11 / 4-5,12-13 / 6-7,14-15");
  CHECK(parts("nehalem-sun", 8, "4,scatter") ==
        "0,8 / 1,9 / 2,10 / 3,11 / 4,12 / 5,13 / 6,14 / 7,15");
  CHECK(parts("nehalem-sun", 8, "4,scatter", "0-3,8-11") == "0 / 8 / 1 / 9 / 2 / 10 / 3 / 11");
}

TEST_CASE("ranks share hardware threads if there are more ranks than hardware threads") {
  CHECK(parts("pu:2", 5, "2,scatter") == "0 / 0 / 0 / 1 / 1");
}

TEST_CASE("only the processors of a mask are divided") {
  CHECK(parts("barcelona", 2, "2,scatter", "2-9") == "2-7 / 8-9");
}

TEST_CASE("parts are in the machine and do not overlap if there are enough processors") {
  for (const char* machine :
       {"barcelona", "nehalem-sun", "nehalem-hp", "bielefeld", "pack:3 core:5 pu:2"}) {
    const machine::Topology topology = planned::topology({.machine = machine, .cpus = ""});
    const int cpus = static_cast<int>(topology.slots({1 << 20, 0}).slots.size());
    for (int ranks = 1; ranks <= cpus; ranks += 1 + ranks / 8) {
      for (const long need : {1L, 2L, 3L, 7L, 64L}) {
        std::set<int> seen;
        std::size_t count = 0;
        const auto all = plan::make_parts(topology, ranks, need, false, machine::CoreChoice::kAuto);
        CHECK(static_cast<int>(all.size()) == ranks);
        for (const auto& part : all) {
          CHECK_FALSE(part.empty());
          seen.insert(part.begin(), part.end());
          count += part.size();
        }
        CHECK(seen.size() == count);
      }
    }
  }
}

TEST_CASE("every rank has its share of each kind of cores") {
  // The laptop has six fast cores with two threads each, and two clusters of four slow cores.
  CHECK(parts("laptop", 2, "auto") == "0-5,12-15 / 6-11,16-19");
  CHECK(parts("laptop", 2, "core,scatter") == "0-5,12-15 / 6-11,16-19");
  CHECK(parts("laptop", 3, "auto") == "0-3,12-13 / 4-7,14-15 / 8-11,16-19");
  CHECK(parts("laptop", 4, "auto") == "0-3,12-13 / 4-7,14-15 / 8-9,16-17 / 10-11,18-19");
  // Fast cores alone are enough.
  CHECK(parts("laptop", 2, "3,scatter") == "0-5 / 6-11");
  // Slow cores are added in topology order, as many as are needed.
  CHECK(parts("laptop", 2, "5,scatter") == "0-5,12-13 / 6-11,14-15");
}

TEST_CASE("a rank with fewer fast cores has more slow cores") {
  // Four fast and five slow cores for three ranks of three threads: 2 + 1, 1 + 2 and 1 + 2 cores.
  CHECK(parts("laptop", 3, "3,scatter", "0-7,12-16") == "0-3,16 / 4-5,12-13 / 6-7,14-15");
}

TEST_CASE("a kind with fewer cores than ranks is divided together with another kind") {
  // Seven ranks on six fast and eight slow cores.
  CHECK(parts("laptop", 7, "auto") == "0-3 / 4-5 / 6-7 / 8-9 / 10-11 / 12-15 / 16-19");
  // With three slow cores these are divided together with the fast ones.
  CHECK(parts("laptop", 4, "auto", "0-14") == "0-3 / 4-7 / 8-11 / 12-14");
}

// Returns a part's numbers of cores of each kind, the fastest kind first.
std::vector<int> cores_in(const machine::Machine& all, const std::vector<int>& part) {
  std::map<int, int, std::greater<>> cores;
  for (const machine::Slot& slot : all.slots) {
    cores[slot.speed] += std::ranges::count(part, slot.cpus.front());
  }
  std::vector<int> numbers;
  std::ranges::copy(cores | std::views::values, std::back_inserter(numbers));
  return numbers;
}

TEST_CASE("parts of a machine with several kinds of cores are alike, whatever is divided") {
  for (const char* machine : {"laptop", "hybrid"}) {
    for (const char* cpus : {"", "0-6", "0-3", "1-7"}) {
      const machine::Topology topology = planned::topology({.machine = machine, .cpus = cpus});
      const machine::Machine all = topology.slots({1, 0, machine::CoreChoice::kAll});
      const int cores = static_cast<int>(all.slots.size());
      for (int ranks = 1; ranks <= cores; ++ranks) {
        const int need = cores / ranks;
        std::vector<std::vector<int>> numbers;
        for (const auto& part :
             plan::make_parts(topology, ranks, need, true, machine::CoreChoice::kAuto)) {
          numbers.push_back(cores_in(all, part));
        }
        INFO(machine << " " << cpus << ", " << ranks << " ranks");
        const std::vector<int> every = cores_in(all, *mask::parse_list("0-19"));
        bool is_large = true;
        for (const int kind : every) {
          is_large = is_large && kind >= ranks;
        }
        for (const std::vector<int>& part : numbers) {
          CHECK(std::accumulate(part.begin(), part.end(), 0) >= need);
          for (std::size_t kind = 0; is_large && kind < every.size(); ++kind) {
            CHECK(part[kind] >= every[kind] / ranks);
          }
        }
      }
    }
  }
}

TEST_CASE("more parts than processors are reported") {
  CHECK(plan::sharing({{0}, {0}, {1}, {1}}) == "4 ranks share 2 processors");
  CHECK(plan::sharing({{0}, {0}}) == "2 ranks share 1 processor");
  CHECK(plan::sharing({{0, 1}, {2, 3}}).empty());
}
