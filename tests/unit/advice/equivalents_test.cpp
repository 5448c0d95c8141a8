// SPDX-License-Identifier: BSD-3-Clause

#include <catch2/catch.hpp>
#include <string>

#include "advice/explanation.hpp"
#include "planned.hpp"

using namespace nestbind;
using advice::Runtime;

namespace {

advice::Explanation explained(const planned::Setup& setup, const std::string& text) {
  spec::Spec spec;
  spec::Fault fault;
  REQUIRE(spec::parse(text, spec, fault));
  return advice::explain(spec, planned::topology(setup), setup.smt, setup.cores,
                         {Runtime::kGnu, Runtime::kLlvm});
}

const advice::Equivalent& row(const advice::Explanation& explanation, Runtime runtime,
                              const std::string& tool) {
  for (const advice::OfRuntime& of : explanation.equivalents) {
    for (const advice::Equivalent& found : of.rows) {
      if (of.runtime == runtime && found.tool == tool) {
        return found;
      }
    }
  }
  FAIL(tool);
  throw;
}

}  // namespace

TEST_CASE("places at equal distances are written as one interval") {
  CHECK(advice::places_text({{0}, {4}, {8}, {12}}) == "{0}:4:4");
  CHECK(advice::places_text({{0}, {1}}) == "{0},{1}");
  CHECK(advice::places_text({{5}, {5}, {5}}) == "{5},{5},{5}");
  CHECK(advice::places_text({{3}, {2}, {1}}) == "{3},{2},{1}");
  CHECK(advice::places_text({{0, 8}, {1, 9}, {2, 10}}) == "{0,8}:3:1");
  CHECK(advice::places_text({{0, 8}, {1, 9}, {2, 11}}) == "{0,8},{1,9},{2,11}");
  CHECK(advice::places_text({{0}, {1}, {2}, {9}, {11}, {13}}) == "{0}:3:1,{9}:3:2");
}

TEST_CASE("both hardware threads of a core are one place") {
  const auto said = explained({"nehalem-sun", ""}, "2,scatter,4,subcompact");
  const auto& places = row(said, Runtime::kGnu, "OMP_PLACES");
  CHECK(places.is_equal);
  CHECK(places.line ==
        "OMP_NUM_THREADS=2,4 OMP_MAX_ACTIVE_LEVELS=2 OMP_PROC_BIND=spread,close "
        "OMP_PLACES='{0,8}:8:1'");
  CHECK(row(said, Runtime::kLlvm, "OMP_PLACES=cores").is_equal);
}

TEST_CASE("OMP_PLACES=cores is not equal if processors are not numbered core by core") {
  const auto said = explained({"nehalem-hp", ""}, "2,scatter,4,subcompact");
  CHECK(row(said, Runtime::kGnu, "OMP_PLACES").is_equal);
  const auto& cores = row(said, Runtime::kGnu, "OMP_PLACES=cores");
  CHECK(!cores.is_equal);
  CHECK(cores.reason.find("not numbered core by core") != std::string::npos);
}

TEST_CASE("lines for threads in the order of their creation begin with the outer team") {
  const auto one = explained({"barcelona", ""}, "4,scatter");
  CHECK(row(one, Runtime::kLlvm, "KMP_AFFINITY").is_equal);
  CHECK(row(one, Runtime::kLlvm, "KMP_AFFINITY").line ==
        "OMP_NUM_THREADS=4 OMP_MAX_ACTIVE_LEVELS=1 "
        "KMP_AFFINITY='granularity=thread,proclist=[0,4,8,12],explicit'");
  CHECK(row(one, Runtime::kGnu, "likwid-pin").is_equal);
  // Each list begins with the outer team's processors.
  const auto two = explained({"barcelona", ""}, "2,scatter,3,subcompact");
  CHECK(!row(two, Runtime::kLlvm, "KMP_AFFINITY").is_equal);
  CHECK(row(two, Runtime::kLlvm, "KMP_AFFINITY").line.find("proclist=[0,8,1,2,9,10]") !=
        std::string::npos);
  const auto inner = explained({"barcelona", ""}, "1,scatter,4,subscatter");
  CHECK(row(inner, Runtime::kLlvm, "KMP_AFFINITY").is_equal);
  CHECK(!row(inner, Runtime::kGnu, "likwid-pin").is_equal);
}

TEST_CASE("numactl says the same only if all threads may use all processors") {
  CHECK(row(explained({"pack:1 core:1 pu:1", ""}, "2,scatter"), Runtime::kGnu, "numactl").is_equal);
  CHECK(!row(explained({"barcelona", ""}, "2,scatter"), Runtime::kGnu, "numactl").is_equal);
}
