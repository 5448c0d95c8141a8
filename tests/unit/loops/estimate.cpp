// SPDX-License-Identifier: BSD-3-Clause
// The expected results are computed by hand.
#include "loops/estimate.hpp"

#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

// Four members run 100 static iterations each, with a mean time of 10 ticks. The slowest member
// takes `most` ticks.
Sample sample(Ticks most) {
  Sample result;
  result.members = result.team = 4;
  result.most = most;
  result.block_time = 4000;
  result.block_iterations = 400;
  result.busy_time = 8000;
  result.iterations = 800;
  return result;
}

Estimate known(std::uint64_t excess, std::uint64_t iteration_time, Ticks region_time) {
  return {excess, iteration_time, region_time, 1};
}

TEST_CASE("the first execution sets the estimate", "[loops]") {
  const Estimate estimate = updated({}, sample(1100));
  CHECK(estimate.excess == 6553);          // 0.1
  CHECK(estimate.iteration_time == 2560);  // 10
  CHECK(estimate.region_time == 2000);     // 800 iterations of 10 ticks on 4 threads
  CHECK(estimate.samples == 1);
}

TEST_CASE("later executions move the estimate by three tenths", "[loops]") {
  Estimate estimate = updated({}, sample(1100));
  estimate = updated(estimate, sample(1000));
  CHECK(estimate.excess == 6553 - 1965);
  estimate = updated(estimate, sample(2000));
  CHECK(estimate.excess == 4588 + (65536 - 4588) * 3 / 10);
  CHECK(estimate.samples == 3);
}

TEST_CASE("the excess stays if there are no static iterations", "[loops]") {
  Sample none = sample(0);
  none.block_time = none.block_iterations = 0;
  const Estimate estimate = updated(known(100000, 2560, 2000), none);
  CHECK(estimate.excess == 100000);
  CHECK(estimate.iteration_time == 2560);
  CHECK(estimate.region_time == 2000);
}

TEST_CASE("a sample without time or without members changes nothing", "[loops]") {
  const Estimate before = known(1, 2, 3);
  Sample empty = sample(5);
  empty.members = 0;
  CHECK(updated(before, empty).samples == 1);
  empty = sample(0);
  empty.block_time = empty.busy_time = 0;
  CHECK(updated(before, empty).excess == 1);
}

TEST_CASE("long and large loops do not overflow", "[loops]") {
  // 2^63 iterations that take an hour at 3 GHz on 4096 threads.
  Sample large;
  large.members = large.team = 4096;
  large.most = 20'000'000'000'000;
  large.block_time = 4096 * 10'000'000'000'000;
  large.block_iterations = std::uint64_t{1} << 62;
  large.busy_time = 2 * large.block_time;
  large.iterations = std::uint64_t{1} << 63;
  const Estimate estimate = updated({}, large);
  CHECK(estimate.excess == Estimate::kOne);
  CHECK(estimate.iteration_time == 2);  // 0.0089 ticks
  CHECK(estimate.region_time == 20'000'000'000'000);
  // Three iterations of an hour each.
  Sample few = sample(10'000'000'000'000);
  few.members = few.team = 2;
  few.block_time = 15'000'000'000'000;
  few.block_iterations = 3;
  few.iterations = 3;
  CHECK(updated({}, few).iteration_time == 256 * 5'000'000'000'000);
  CHECK(updated({}, few).excess == 65536 / 3);
}

TEST_CASE("the static fraction is the bound minus a margin", "[loops]") {
  CHECK(static_parts_for({}, 100) == 32);  // 0.5 if nothing is known
  const auto parts = [](double excess) {
    return static_parts_for(known(static_cast<std::uint64_t>(excess * 65536), 2560, 1000000), 10);
  };
  CHECK(parts(0.1) == 55);  // 63 * (1 - 0.12) is 55.4
  CHECK(parts(0.5) == 25);
  CHECK(parts(0.01) == 62);
  CHECK(parts(0.84) == 1);
  CHECK(parts(5) == 1);
  CHECK(parts(0) == 63);
}

TEST_CASE("all iterations are static if nothing can be gained", "[loops]") {
  CHECK(static_parts_for(known(32768, 2560, 1000), 10) == 25);
  CHECK(static_parts_for(known(32768, 2560, 1000), 250) == 25);
  CHECK(static_parts_for(known(32768, 2560, 1000), 251) == 63);
}

TEST_CASE("a chunk is large enough to be worth the cost of a take", "[loops]") {
  // An iteration takes 10 ticks, and so does an access to the queue. So chunks of fifty cost 2 %.
  // In a region of 2000 ticks each thread has 200 iterations.
  CHECK(chunk_for(known(6553, 2560, 2000), 55, 10) == 64);
  CHECK(chunk_for(known(6553, 2560, 2000000), 55, 10) == 256);
  // If all iterations are dynamic, chunks are larger.
  CHECK(chunk_for(known(6553, 2560, 2000000), 0, 10) == 512);
  CHECK(chunk_for(known(6553, 256 * 100000, 10000000), 30, 10) == 1);
  CHECK(chunk_for(known(6553, 1, 1000), 30, 100) >= 50 * 100 * 256);
  CHECK(chunk_for(known(0, 0, 0), 30, 100) >= 50 * 100 * 256);
  CHECK(chunk_for(known(0, 1, ~Ticks{0} >> 8), 0, ~Ticks{0}) > 0);
}

TEST_CASE("a share has at most 1024 chunks and a chunk fits its share", "[loops]") {
  constexpr std::uint64_t kShare = std::uint64_t{1} << 62;
  CHECK(bounded_chunk(1, 2 * kShare, 2) == kShare / 1024);
  CHECK(bounded_chunk(1 << 22, ~std::uint64_t{0}, 1) == kShare / 256);  // rounded up
  CHECK(bounded_chunk(kShare, 3 * kShare, 3) == kShare);
  CHECK(bounded_chunk(~std::uint64_t{0}, 3 * kShare, 3) == kShare);
  CHECK(bounded_chunk(1, 2 * 1024, 2) == 1);
  CHECK(bounded_chunk(1, 2 * 1025, 2) == 2);
  CHECK(bounded_chunk(64, 2 * 1025, 2) == 64);
  CHECK(bounded_chunk(64, 30, 2) == 15);
  CHECK(bounded_chunk(64, 0, 2) == 1);
}

TEST_CASE("a share has 32 chunks before anything is measured", "[loops]") {
  CHECK(default_chunk(3200, 10) == 10);
  CHECK(default_chunk(31, 1) == 1);
  CHECK(default_chunk(0, 4) == 1);
}

TEST_CASE("a member's weight is its speed", "[loops]") {
  CHECK(updated_weight(0, 100, 1000, 400, 4000) == 4096);
  CHECK(updated_weight(0, 100, 500, 400, 4000) == 8192);
  CHECK(updated_weight(4096, 100, 500, 400, 4000) == 4096 + 1228);
  CHECK(updated_weight(0, 0, 0, 400, 4000) == 4096);
  CHECK(updated_weight(5000, 0, 10, 400, 4000) == 5000);
  CHECK(updated_weight(0, 1, 1000000, 1000, 1001000) == Speed::kLeast);
  CHECK(updated_weight(0, 1000000, 1, 1000001, 1000000) == Speed::kMost);
}

}  // namespace
}  // namespace nestbind::loops::test
