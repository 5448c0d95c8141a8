// SPDX-License-Identifier: BSD-3-Clause
// Five programs, interval by interval: by the published draw, and as dealt here.
#include <catch2/catch.hpp>
#include <iostream>

#include "programs.hpp"

using namespace programs;

namespace {

std::vector<Step> drawn(Program program, int intervals) {
  Chance chance(2013);
  std::vector<Step> steps;
  for (int i = 0; i < intervals; ++i) {
    steps.push_back(by_draw(program, chance));
  }
  return steps;
}

std::vector<Step> dealt(Program program, int intervals, std::uint64_t bytes = ~std::uint64_t{0}) {
  Chance chance(2013);
  Dealt ours(bytes);
  std::vector<Step> steps;
  for (int i = 0; i < intervals; ++i) {
    steps.push_back(ours.step(program, chance));
  }
  return steps;
}

std::size_t moves(const std::vector<Step>& steps) {
  std::size_t all = 0;
  for (const Step& step : steps) {
    all += step.moves;
  }
  return all;
}

// With the tag [figures] asked for, for people.
void show(const char* what, const std::vector<Step>& steps) {
  std::cout << what << ":";
  for (const Step& step : steps) {
    std::cout << "  " << step.imbalance << "/" << step.local << " (" << step.moves << " moves, "
              << step.replicas << " replicas)";
  }
  std::cout << "\n";
}

}  // namespace

TEST_CASE("Streamcluster: 97/1/1/1 %, shared") {
  const auto draw = drawn(streamcluster(), 4);
  CHECK(draw[0].imbalance == Approx(192));
  CHECK(draw[0].local == Approx(25).margin(1));
  CHECK(draw[1].imbalance == Approx(54).margin(4));
  CHECK(draw[2].imbalance == Approx(27).margin(6));  // below 35: off from then on
  CHECK(draw[1].on.interleaving);
  CHECK_FALSE(draw[2].on.interleaving);

  const auto deal = dealt(streamcluster(), 4);
  CHECK(deal[0].imbalance == Approx(192));
  CHECK(deal[1].imbalance <= 3);
  CHECK(deal[1].local == Approx(25).margin(1));
  CHECK(deal[1].moves + deal[2].moves + deal[3].moves == 0);
  // No more than had to be moved.
  CHECK(deal[0].moves == 3880 - 1000);
}

TEST_CASE("parts, all on node 0") {
  for (const auto& steps : {drawn(parts_on_one_node(), 2), dealt(parts_on_one_node(), 2)}) {
    CHECK(steps[0].imbalance == Approx(200));
    CHECK(steps[0].local == Approx(25));
    CHECK(steps[0].moves == 3000);
    CHECK(steps[1].imbalance == Approx(0).margin(1e-9));
    CHECK(steps[1].local == 100);
    CHECK(steps[1].on == Enabled{});
    CHECK(steps[1].moves == 0);
  }
}

TEST_CASE("PCA: a third own, two thirds shared, all on node 0") {
  const auto draw = drawn(pca(), 3);
  CHECK(draw[0].imbalance == Approx(200));
  CHECK(draw[0].local == Approx(25).margin(1));
  CHECK(draw[1].imbalance == Approx(43).margin(5));
  CHECK(draw[1].local == Approx(50).margin(2));
  CHECK(draw[2].imbalance == Approx(25).margin(5));
  CHECK(draw[2].local == Approx(50).margin(2));

  const auto deal = dealt(pca(), 2);
  CHECK(deal[0].imbalance == Approx(200));
  CHECK(deal[1].imbalance <= 5);
  CHECK(deal[1].local == Approx(50).margin(2));
}

TEST_CASE("what is well placed, or asks little of memory, stays") {
  Program calm = streamcluster();
  calm.intensity = intensity(20, 1);
  CHECK(moves(drawn(good(), 10)) == 0);
  CHECK(moves(drawn(calm, 10)) == 0);
  for (const Step& step : drawn(shared_and_interleaved(), 10)) {
    CHECK_FALSE(step.on.interleaving);
    CHECK(step.moves <= kPages / 50);
    CHECK(step.moves > 0);
  }
  CHECK(moves(dealt(good(), 10)) == 0);
  CHECK(moves(dealt(calm, 10)) == 0);
  CHECK(moves(dealt(shared_and_interleaved(), 10)) == 0);
}

TEST_CASE("shared and only read: the published form replicates, ours advises") {
  Program program = streamcluster();
  program.writes = false;
  program.refills = 1000;
  const auto draw = drawn(program, 1);
  CHECK(draw[0].on.replication);
  CHECK(static_cast<double>(draw[0].replicas) == Approx(0.98 * kPages).margin(0.01 * kPages));
  const auto deal = dealt(program, 3);
  CHECK(static_cast<double>(deal[0].replicas) == Approx(0.98 * kPages).margin(0.01 * kPages));
  CHECK(moves(deal) == 0);
}

// What the rules decide is ended, also behind the thresholds at which they would not begin.
TEST_CASE("a tenth a second comes to the same, and no page moves twice") {
  const std::uint64_t tenth = bytes_allowed(kPages * kPageBytes, 1000000);
  for (const Program& program : {streamcluster(), parts_on_one_node(), pca()}) {
    const auto all_at_once = dealt(program, 2);
    const auto steps = dealt(program, 12, tenth);
    for (const Step& step : steps) {
      CHECK(step.moves * kPageBytes <= tenth);
    }
    CHECK(steps[8].imbalance <= 3);
    CHECK(steps[8].local >= all_at_once[1].local - 2);
    CHECK(moves(steps) <= all_at_once[0].moves + kPages / 50);
  }
}

TEST_CASE("the table in figures", "[.][figures]") {
  show("streamcluster, drawn", drawn(streamcluster(), 4));
  show("streamcluster, dealt", dealt(streamcluster(), 4));
  show("parts, drawn", drawn(parts_on_one_node(), 2));
  show("parts, dealt", dealt(parts_on_one_node(), 2));
  show("pca, drawn", drawn(pca(), 4));
  show("pca, dealt", dealt(pca(), 4));
  show("good, drawn", drawn(good(), 3));
  show("good, dealt", dealt(good(), 3));
  show("interleaved, drawn", drawn(shared_and_interleaved(), 3));
  show("interleaved, dealt", dealt(shared_and_interleaved(), 3));
  Program calm = streamcluster();
  calm.intensity = intensity(20, 1);
  show("MAPTU 20, drawn", drawn(calm, 2));
  show("MAPTU 20, dealt", dealt(calm, 2));
  Program read = streamcluster();
  read.writes = false;
  read.refills = 1000;
  show("read only, drawn", drawn(read, 1));
  show("read only, dealt", dealt(read, 1));
  const std::uint64_t tenth = bytes_allowed(kPages * kPageBytes, 1000000);
  show("streamcluster, a tenth a second", dealt(streamcluster(), 12, tenth));
  show("parts, a tenth a second", dealt(parts_on_one_node(), 12, tenth));
  show("pca, a tenth a second", dealt(pca(), 12, tenth));
}
