// SPDX-License-Identifier: BSD-3-Clause
#include "balance/owners.hpp"

#include <algorithm>
#include <bit>

namespace nestbind::balance {

namespace {

constexpr Ticks kCreep = 50;            // 1 / 2 %
constexpr std::uint64_t kSeldom = 64;   // looks are no farther apart
constexpr double kUnknownAlpha = 0.05;  // of the mean block
constexpr double kWorthIt = 0.98;       // of the heaviest thread, at most
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

double heaviest(const double* time, int blocks, const int* owner, int threads, double* load) {
  std::fill(load, load + threads, 0.0);
  for (int block = 0; block < blocks; ++block) {
    load[owner[block]] += time[block];
  }
  return *std::max_element(load, load + threads);
}

}  // namespace

Ticks with_time(Ticks known, Ticks seen) {
  if (known == 0 || seen == 0) {
    return std::max(known, seen);
  }
  return std::min(known + std::max(known / kCreep, Ticks{1}), seen);
}

bool is_look_due(std::uint64_t executions, std::uint64_t every) {
  if (every != kEveryAuto) {
    return executions >= kFirstLookOfGiven && executions % every == 0;
  }
  return executions >= kFirstLook &&
         (executions < kSeldom ? std::has_single_bit(executions) : executions % kSeldom == 0);
}

double alpha_of(const KnownBlocks& blocks) {
  double sum = 0;
  double more = 0;
  int measured = 0;
  int both = 0;
  for (int block = 0; block < blocks.count; ++block) {
    const auto local = static_cast<double>(blocks.local[block]);
    const auto remote = static_cast<double>(blocks.remote[block]);
    sum += static_cast<double>(blocks.time[block]);
    measured += blocks.time[block] > 0 ? 1 : 0;
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

Look find_owners(const KnownBlocks& blocks, const Machine& threads, double alpha,
                 const LookWork& work, const int* owner) {
  const double price = alpha < 0 ? alpha_of(blocks) : alpha;
  double all = 0;
  for (int block = 0; block < blocks.count; ++block) {
    work.load[block] = static_cast<double>(blocks.time[block]);
    all += work.load[block];
  }
  Look result;
  if (all <= 0) {
    return result;
  }
  link_neighbours(blocks.count, work.first, work.other);
  Objects objects;
  objects.count = blocks.count;
  objects.load = work.load;
  objects.first = work.first;
  objects.other = work.other;
  objects.home = blocks.home;
  std::copy(owner, owner + blocks.count, work.owner);
  result.moved = numa(objects, threads, price, work.work, work.owner);
  const double mean = all / threads.slots;
  double* const load = work.work.load;
  result.before = heaviest(work.load, blocks.count, owner, threads.slots, load) / mean;
  result.after = heaviest(work.load, blocks.count, work.owner, threads.slots, load) / mean;
  result.is_taken = result.moved > 0 && result.after < result.before * kWorthIt;
  return result;
}

Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const LookWork& work,
          int* owner) {
  const Look result = find_owners(blocks, threads, alpha, work, owner);
  if (result.is_taken) {
    std::copy(work.owner, work.owner + blocks.count, owner);
  }
  return result;
}

}  // namespace nestbind::balance
