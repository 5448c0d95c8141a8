// SPDX-License-Identifier: BSD-3-Clause
// What the thread that watches memory does with one hint fault of the kernel's, apart from reading
// it: for `advise`, and for `apply` besides. Prints nanoseconds a sample, the 10th percentile of
// the batches and their median, for arrays of several sizes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "memory/samples.hpp"
#include "memory/watch/touches.hpp"

namespace {

using namespace nestbind::memory;

constexpr std::size_t kSamplesOfBatch = 65536;  // the kernel's scan of 256 MiB
constexpr int kBatches = 51;
constexpr int kNodes = 4;
constexpr std::uint64_t kBegin = 0x7f0000000000;

// Pages of an array in the order in which four threads come to them.
std::vector<Sample> samples_of(std::uint64_t pages, std::mt19937_64& chance) {
  std::vector<Sample> samples(kSamplesOfBatch);
  std::uint64_t next[kNodes];
  for (int node = 0; node < kNodes; ++node) {
    next[node] = pages / kNodes * static_cast<std::uint64_t>(node);
  }
  for (Sample& sample : samples) {
    const auto node = static_cast<std::uint32_t>(chance() % kNodes);
    sample.address = kBegin + next[node]++ % pages * kPageBytes;
    sample.thread = 1000 + node;
    sample.processor = node;
    sample.weight = 1;
  }
  return samples;
}

double nanoseconds_of(const std::vector<Sample>& samples, Touches& touches, Samples* kept) {
  const auto begin = std::chrono::steady_clock::now();
  for (const Sample& sample : samples) {
    const int index = static_cast<int>(sample.processor);
    if (touches.is_hint(sample)) {
      touches.add(sample, sample.code + 1, index, true);
    } else {
      touches.add(sample, 1, index, true);
    }
    if (kept != nullptr) {
      kept->add(sample.address, index, true);
    }
  }
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - begin;
  return passed.count() / static_cast<double>(samples.size());
}

void print_of(std::uint64_t mebibytes, bool is_apply, std::mt19937_64& chance) {
  const std::uint64_t pages = (mebibytes << 20) / kPageBytes;
  Touches touches;
  Samples kept(std::size_t{1} << 18, kNodes, {});
  std::vector<double> times;
  for (int batch = 0; batch <= kBatches; ++batch) {
    const double time =
        nanoseconds_of(samples_of(pages, chance), touches, is_apply ? &kept : nullptr);
    if (batch > 0) {  // the first makes the tables
      times.push_back(time);
    }
  }
  std::ranges::sort(times);
  std::printf("%llu MiB,%s,%.1f,%.1f\n", static_cast<unsigned long long>(mebibytes),
              is_apply ? "apply" : "advise", times[times.size() / 10], times[times.size() / 2]);
}

}  // namespace

int main() {
  std::mt19937_64 chance(1);
  std::puts("array,variant,10th percentile ns,median ns");
  for (const std::uint64_t mebibytes : {16, 256, 4096}) {
    print_of(mebibytes, false, chance);
    print_of(mebibytes, true, chance);
  }
}
