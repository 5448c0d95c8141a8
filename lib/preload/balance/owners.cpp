// SPDX-License-Identifier: BSD-3-Clause
#include "balance/owners.hpp"

#include <algorithm>

namespace nestbind::balance {

namespace {

constexpr Ticks kMost = 4;  // of a block's load
constexpr Ticks kMostParts = 8;
constexpr double kUnknownAlpha = 0.05;  // of the mean block
constexpr double kLeastGain = 0.02;     // of the heaviest thread
constexpr std::size_t kNeighbours = 2;  // of a block

// Each block with the one before it and the one behind it.
void link_neighbours(int count, int* first, int* other) {
  int edges = 0;
  for (int block = 0; block < count; ++block) {
    first[block] = edges;
    if (block > 0) {
      other[edges++] = block - 1;
    }
    if (block + 1 < count) {
      other[edges++] = block + 1;
    }
  }
  first[count] = edges;
}

// By one part of so many of the way.
Ticks moved(Ticks from, Ticks to, Ticks parts) {
  return to >= from ? from + (to - from) / parts : from - (from - to) / parts;
}

template <typename Number>
double heaviest(const Number& of_block, int blocks, const int* owner, int threads, double* load) {
  std::fill(load, load + threads, 0.0);
  for (int block = 0; block < blocks; ++block) {
    load[owner[block]] += of_block(block);
  }
  return *std::max_element(load, load + threads);
}

}  // namespace

Load with_time(const Load& known, Ticks seen, std::uint64_t before) {
  if (known.time == 0 || seen == 0) {
    return known.time == 0 ? Load{seen, seen} : known;
  }
  const Ticks time = std::min(seen, kMost * known.time);
  const Ticks off = time > known.time ? time - known.time : known.time - time;
  const Ticks parts = std::min<Ticks>(before + 2, kMostParts);
  return {moved(known.time, time, parts), moved(known.varies, off, parts)};
}

bool is_look_due(std::uint64_t executions, std::uint64_t every) {
  return executions >= kUsualEvery && executions % every == 0;
}

double alpha_of(const KnownBlocks& blocks) {
  double sum = 0;
  double more = 0;
  int measured = 0;
  int both = 0;
  for (int block = 0; block < blocks.count; ++block) {
    const auto local = static_cast<double>(blocks.local[block]);
    const auto remote = static_cast<double>(blocks.remote[block]);
    sum += static_cast<double>(blocks.load[block].time);
    measured += blocks.load[block].time > 0 ? 1 : 0;
    if (local > 0 && remote > 0) {
      const double least = std::min(local, remote);
      more += std::clamp(remote - local, -least, least);
      ++both;
    }
  }
  if (both > 0) {
    return std::max(more / both, 0.0);
  }
  return measured == 0 ? 0 : kUnknownAlpha * sum / measured;
}

std::size_t look_bytes(int blocks, const Machine& threads) {
  const auto count = static_cast<std::size_t>(blocks);
  const std::size_t numbers = (count + 1) + kNeighbours * count + count;
  return (work_bytes(blocks, threads) / sizeof(double) + 1 + count) * sizeof(double) +
         numbers * sizeof(int);
}

LookWork look_in(void* memory, int blocks, const Machine& threads) {
  LookWork work;
  work.load = static_cast<double*>(memory);
  double* const rest = work.load + blocks;
  work.work = work_in(rest, blocks, threads);
  work.first = reinterpret_cast<int*>(rest + work_bytes(blocks, threads) / sizeof(double) + 1);
  work.other = work.first + blocks + 1;
  work.owner = work.other + static_cast<std::ptrdiff_t>(kNeighbours) * blocks;
  return work;
}

Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, double steadiness,
          const LookWork& work, int* owner) {
  double all = 0;
  for (int block = 0; block < blocks.count; ++block) {
    work.load[block] = static_cast<double>(blocks.load[block].time);
    all += work.load[block];
  }
  Look result;
  if (all <= 0) {
    return result;
  }
  const double mean = all / threads.slots;
  double* const load = work.work.load;
  const auto heaviest_of = [&](const auto& of_block, const int* by) {
    return heaviest(of_block, blocks.count, by, threads.slots, load) / mean;
  };
  const auto time_of = [&](int block) { return work.load[block]; };
  const auto varies_by = [&](int block) { return static_cast<double>(blocks.load[block].varies); };
  result.before = result.after = heaviest_of(time_of, owner);
  const double varies = steadiness > 0 ? heaviest_of(varies_by, owner) : 0;
  const double least = std::max(kLeastGain * result.before, varies);
  if (result.before - 1 <= least) {
    return result;  // perfect owners would not be enough
  }
  link_neighbours(blocks.count, work.first, work.other);
  Objects objects;
  objects.count = blocks.count;
  objects.load = work.load;
  objects.first = work.first;
  objects.other = work.other;
  objects.home = blocks.home;
  std::copy(owner, owner + blocks.count, work.owner);
  result.moved =
      numa(objects, threads, alpha < 0 ? alpha_of(blocks) : alpha, work.work, work.owner);
  result.after = heaviest_of(time_of, work.owner);
  const double gain = result.before - result.after;
  result.is_promising = result.moved > 0 && gain > least;
  result.is_taken = result.is_promising && gain > steadiness * varies;
  if (result.is_taken) {
    std::copy(work.owner, work.owner + blocks.count, owner);
  }
  return result;
}

}  // namespace nestbind::balance
