// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "advice/suggestions.hpp"
#include "planned.hpp"
#include "show/layout.hpp"

using namespace nestbind;
using machine::CoreChoice;

namespace {

std::vector<advice::Suggestion> suggested(const planned::Setup& setup,
                                          const std::vector<int>& shape) {
  return advice::suggest(planned::topology(setup), shape, setup.smt, setup.cores);
}

std::vector<std::string> texts(const planned::Setup& setup, const std::vector<int>& shape) {
  std::vector<std::string> found;
  for (const advice::Suggestion& suggestion : suggested(setup, shape)) {
    found.push_back(suggestion.text);
  }
  return found;
}

using Texts = std::vector<std::string>;

const planned::Setup kMachines[] = {
    {"barcelona", ""},
    {"barcelona", "0-8,12"},
    {"barcelona", "5"},
    {"tigerton", ""},
    {"nehalem-sun", ""},
    {"nehalem-sun", "", 2},
    {"nehalem-hp", "0-6,8,9"},
    {"hybrid", ""},
    {"hybrid", "", 0, CoreChoice::kEfficient},
    {"hybrid", "", 0, CoreChoice::kPerformance},
    {"scalemp", "0-40"},
    {"numa16", ""},
    {"grouped", ""},
    {"pack:1 core:1 pu:1", ""},
    {"pack:1 core:1 pu:2", ""},
    {"pack:1 core:2 pu:1", ""},
    {"pack:2 l3:8 l2:8 core:1 pu:2", "", 0, CoreChoice::kAuto},
    {"pack:1 numa:4 l2:8 core:2 pu:4", ""},
};

const std::vector<int> kShapes[] = {{},     {1},    {2},       {4},         {16},   {1, 4},
                                    {4, 1}, {4, 4}, {2, 2, 2}, {1, 2, 3},   {5, 3}, {7},
                                    {8, 8}, {1, 1}, {3, 2},    {1000, 1000}};

}  // namespace

TEST_CASE("the suggestions for the machine of the paper are known") {
  CHECK(texts({"barcelona", ""}, {4, 4}) ==
        Texts{"4,scatter,4,subcompact", "4,scatter,4,scatter", "4,compact,4,scatter"});
  CHECK(texts({"barcelona", ""}, {}) == Texts{"numa,scatter,core,subcompact", "core,scatter"});
  CHECK(texts({"barcelona", ""}, {4}) == Texts{"4,scatter", "4,compact"});
  CHECK(texts({"barcelona", ""}, {16}) == Texts{"16,scatter"});
}

TEST_CASE("a reason says what the plan does") {
  const auto found = suggested({"barcelona", ""}, {4, 4});
  REQUIRE(found.size() == 3);
  CHECK(found[0].reason ==
        "the teams far apart, the members of each close together; each team within one L3 cache "
        "and one NUMA node, no package has members of two teams; auto does the same if the program "
        "sets these sizes itself");
  CHECK(found[1].reason ==
        "the members of each team far apart, for inner teams that want all the bandwidth; each "
        "team over 4 NUMA nodes, no core has members of two teams");
}

TEST_CASE("memory-bound teams get one node each, and teams that synchronise share one node") {
  for (const advice::Suggestion& suggestion : suggested({"barcelona", ""}, {2, 2})) {
    INFO(suggestion.text);
    const bool is_apart = suggestion.text.ends_with("2,scatter");
    CHECK((suggestion.serves.find("memory-bound") != std::string::npos) ==
          (suggestion.text.starts_with("2,scatter") && !is_apart));
    CHECK((suggestion.serves.find("synchronise") != std::string::npos) ==
          (suggestion.text == "2,compact,2,subcompact"));
    CHECK((suggestion.serves.find("several NUMA nodes") != std::string::npos) == is_apart);
  }
}

TEST_CASE("suggestions name no kind of object that the machine lacks") {
  for (const std::string& text : texts({"scalemp", ""}, {})) {
    CHECK(text.find("l3") == std::string::npos);
  }
  for (const std::string& text : texts({"pack:2 [numa] core:4 pu:1", ""}, {})) {
    CHECK(text.find("l2") == std::string::npos);
    CHECK(text.find("l3") == std::string::npos);
  }
}

TEST_CASE("the reason skips teams of one thread and describes the level above") {
  const auto found = suggested({"barcelona", ""}, {2, 1});
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].reason.find("; the team over 2 NUMA nodes;") != std::string::npos);
  for (const advice::Suggestion& suggestion : found) {
    CHECK_FALSE(suggestion.reason.ends_with(' '));
  }
}

TEST_CASE("nothing is suggested if no shape fits or only one thread is to be bound") {
  CHECK(texts({"barcelona", ""}, {16, 2}).empty());
  CHECK(texts({"barcelona", "0-3"}, {5}).empty());
  CHECK(texts({"barcelona", "5"}, {}).empty());
  CHECK(texts({"barcelona", ""}, {1}).empty());
  CHECK(texts({"barcelona", ""}, {1, 1}).empty());
  CHECK(texts({"barcelona", ""}, {1000000, 1000000, 1000000, 1000000}).empty());
}

TEST_CASE("hardware threads are suggested if cores have several") {
  CHECK(texts({"pack:1 core:1 pu:2", ""}, {}) == Texts{"pu,compact"});
  CHECK(texts({"nehalem-sun", ""}, {}) == Texts{"numa,scatter,core,subcompact",
                                                "numa,scatter,pu,subcompact", "core,scatter",
                                                "pu,compact"});
}

TEST_CASE("suggestions for every machine and shape are few, different, and place each thread") {
  for (const planned::Setup& setup : kMachines) {
    const machine::Topology topology = planned::topology(setup);
    for (const std::vector<int>& shape : kShapes) {
      const auto found = advice::suggest(topology, shape, setup.smt, setup.cores);
      CHECK(found.size() <= advice::kMostSuggestions);
      std::vector<std::vector<std::pair<std::vector<int>, std::vector<int>>>> layouts;
      for (const advice::Suggestion& suggestion : found) {
        INFO(setup.machine << " " << setup.cpus << " " << suggestion.text);
        spec::Spec spec;
        spec::Fault fault;
        REQUIRE(spec::parse(suggestion.text, spec, fault));
        CHECK(spec == suggestion.spec);
        CHECK(!suggestion.reason.empty());
        const show::Layout layout = show::make_layout(spec, topology, setup.smt, setup.cores);
        CHECK(layout.warnings.empty());
        CHECK((shape.empty() ||
               static_cast<long>(layout.threads.size()) == advice::threads_of(shape)));
        layouts.emplace_back();
        for (const show::ThreadRow& thread : layout.threads) {
          CHECK(thread.is_bound);
          layouts.back().emplace_back(thread.path, layout.machine.slots[thread.slot].cpus);
        }
      }
      for (std::size_t i = 0; i < layouts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          CHECK(layouts[i] != layouts[j]);
        }
      }
    }
  }
}
