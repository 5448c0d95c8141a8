// SPDX-License-Identifier: BSD-3-Clause
#include "mask/cpu_mask.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <utility>
#include <vector>

using namespace nestbind;

namespace {

mask::MaskBuffer with(const std::vector<int>& cpus) {
  mask::MaskBuffer made{};
  for (const int cpu : cpus) {
    mask::add(made.bits, cpu);
  }
  return made;
}

std::vector<int> visited(const mask::CpuMask& mask) {
  std::vector<int> cpus;
  mask::each(mask, [&](int cpu) { cpus.push_back(cpu); });
  return cpus;
}

}  // namespace

TEST_CASE("a mask gives its processors in ascending order") {
  const std::vector<int> cpus{0, 1, 63, 64, 127, 500, mask::kMaxCpus - 1};
  const mask::MaskBuffer buffer = with(cpus);
  CHECK(visited(buffer.view()) == cpus);
  CHECK(mask::count(buffer.view()) == static_cast<int>(cpus.size()));
  CHECK(mask::has(buffer.view(), 64));
  CHECK_FALSE(mask::has(buffer.view(), 65));
  CHECK_FALSE(mask::has(buffer.view(), mask::kMaxCpus));
}

TEST_CASE("runs of processors may cross words and reach the last processor") {
  const mask::MaskBuffer buffer = with({0, 5, 62, 63, 64, 65, 8190, 8191});
  std::vector<std::pair<int, int>> runs;
  mask::each_range(buffer.view(), [&](int first, int last) { runs.emplace_back(first, last); });
  CHECK(runs == std::vector<std::pair<int, int>>{{0, 0}, {5, 5}, {62, 65}, {8190, 8191}});
}

TEST_CASE("masks of different lengths are equal if the rest is zero") {
  const unsigned long one[] = {5};
  const unsigned long two[] = {5, 0};
  const unsigned long other[] = {5, 1};
  CHECK(mask::is_same({8, one}, {16, two}));
  CHECK(mask::is_same({16, two}, {8, one}));
  CHECK_FALSE(mask::is_same({8, one}, {16, other}));
  CHECK_FALSE(mask::is_same({16, other}, {8, one}));
  CHECK(mask::is_same({0, nullptr}, {0, nullptr}));
}

// libgomp's threads share one buffer for the process's mask. One thread may count processors in the
// buffer while another request writes the mask.
TEST_CASE("a mask that is written again never shows fewer processors") {
  constexpr unsigned long kProcessors = 0xffff;
  const unsigned long bits[] = {kProcessors, 0};
  const mask::CpuMask told{sizeof bits, bits};
  std::atomic<unsigned long> buffer[16] = {kProcessors};
  std::atomic<bool> is_over{false};
  long wrong = 0;
  std::thread reader([&] {
    while (!is_over.load(std::memory_order_relaxed)) {
      wrong += buffer[0].load(std::memory_order_relaxed) != kProcessors ? 1 : 0;
    }
  });
  for (int i = 0; i < 2'000'000; ++i) {
    if (!mask::write_as_kernel(told, buffer, sizeof buffer)) {
      break;
    }
  }
  is_over = true;
  reader.join();
  CHECK(wrong == 0);
}
