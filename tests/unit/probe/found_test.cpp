// SPDX-License-Identifier: BSD-3-Clause
// Tests that only unreliable measurements are marked as unreliable.
#include <catch2/catch.hpp>

#include "machine/hwloc/read_hwloc.hpp"
#include "made_up.hpp"
#include "probe/probe_found.hpp"

using namespace nestbind::probe;
using nestbind::machine::hwloc::read_hardware;

namespace {

class Tiring : public made_up::Machine {
 public:
  Tiring(made_up::Truth truth, Work tiring)
      : Machine(std::move(truth), 1, {.jitter = 0, .disturbed = 0}), tiring_(tiring) {}

  Took batch(const Subject& subject, int count, double limit) override {
    Took took = Machine::batch(subject, count, limit);
    const double factor = subject.work == tiring_ ? 1 + now() : 1;
    took.ns *= factor;
    took.slowest *= factor;
    return took;
  }

 private:
  const Work tiring_;
};

Found found_of(Work tiring) {
  const made_up::Table far(4, std::vector<double>(4, 100));
  Tiring machine({far, {{90, 140}, {90, 140}, {140, 90}, {140, 90}}}, tiring);
  const Survey survey = plan_survey(read_hardware("numa:2 core:2 pu:1"), {});
  return probe(survey, machine, {}, nullptr);
}

}  // namespace

TEST_CASE("latency and bandwidth are reliable independently of each other") {
  const Found streams = found_of(Work::kStream);
  const Found reads = found_of(Work::kReads);
  REQUIRE(streams.matrix.size() == 2);
  REQUIRE(reads.matrix.size() == 2);
  for (std::size_t from = 0; from < 2; ++from) {
    for (std::size_t to = 0; to < 2; ++to) {
      CHECK(streams.matrix[from][to].is_read_reliable);
      CHECK_FALSE(streams.matrix[from][to].is_bandwidth_reliable);
      CHECK_FALSE(reads.matrix[from][to].is_read_reliable);
      CHECK(reads.matrix[from][to].is_bandwidth_reliable);
    }
  }
  CHECK_FALSE(streams.is_reliable());
  CHECK_FALSE(reads.is_reliable());
}
