// SPDX-License-Identifier: BSD-3-Clause
#include "balance/owners.hpp"

#include <algorithm>

namespace nestbind::balance {

namespace {

constexpr Ticks kMost = 4;  // limit of a measured time, as a multiple of the block's load
constexpr Ticks kMostParts = 8;
constexpr double kUnknownAlpha = 0.05;  // of the mean load of a block
constexpr double kLeastGain = 0.02;     // of the heaviest thread's load
constexpr double kSteadiness = 2.5;     // the least gain, as a multiple of the largest variation
constexpr std::size_t kNeighbours = 2;

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

Ticks moved(Ticks from, Ticks to, std::uint64_t before) {
  const Ticks parts = std::min<Ticks>(before + 2, kMostParts);
  return to >= from ? from + (to - from) / parts : from - (from - to) / parts;
}

}  // namespace

Load with_time(Ticks known, Ticks seen, std::uint64_t before) {
  if (known == 0 || seen == 0) {
    return {known + seen, static_cast<std::int64_t>(seen)};
  }
  const Ticks time = std::min(seen, kMost * known);
  return {moved(known, time, before), static_cast<std::int64_t>(time - known)};
}

Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before) {
  const auto size = static_cast<Ticks>(off < 0 ? -off : off);
  return before == 0 ? size : moved(varies, size, before);
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
    sum += static_cast<double>(blocks.load[block]);
    measured += blocks.load[block] > 0 ? 1 : 0;
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

Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner) {
  double all = 0;
  for (int block = 0; block < blocks.count; ++block) {
    work.load[block] = static_cast<double>(blocks.load[block]);
    all += work.load[block];
  }
  Look result;
  if (all <= 0) {
    return result;
  }
  const double mean = all / threads.slots;
  double* const load = work.work.load;
  const auto heaviest = [&](const int* by) {
    std::fill(load, load + threads.slots, 0.0);
    for (int block = 0; block < blocks.count; ++block) {
      load[by[block]] += work.load[block];
    }
    return *std::max_element(load, load + threads.slots) / mean;
  };
  result.before = result.after = heaviest(owner);
  const double by_chance =
      varies == nullptr
          ? 0
          : static_cast<double>(*std::max_element(varies, varies + threads.slots)) / mean;
  const double least = std::max(kLeastGain * result.before, by_chance);
  if (result.before - 1 <= least) {
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
  result.moved =
      numa(objects, threads, alpha < 0 ? alpha_of(blocks) : alpha, work.work, work.owner);
  result.after = heaviest(work.owner);
  const double gain = result.before - result.after;
  result.is_promising = result.moved > 0 && gain > least;
  result.is_taken = result.is_promising && gain > kSteadiness * by_chance;
  if (result.is_taken) {
    std::copy(work.owner, work.owner + blocks.count, owner);
  }
  return result;
}

int Lists::stealable_begin(int thread, int stealable) const {
  const std::int64_t blocks = end(thread) - begin(thread);
  return std::min(end(thread) - static_cast<int>(blocks * stealable / kWhole),
                  stealable_end(thread));
}

Lists make_lists(const int* owner, int count, int threads, int* first, int* block) {
  std::fill(first, first + threads + 1, 0);
  for (int i = 0; i < count; ++i) {
    ++first[owner[i] + 1];
  }
  for (int thread = 0; thread < threads; ++thread) {
    first[thread + 1] += first[thread];
  }
  // Each entry of `first` moves from the end of a list to its start.
  for (int i = count; i-- > 0;) {
    block[--first[owner[i] + 1]] = i;
  }
  // Now entry t + 1 has the beginning of list t.
  for (int thread = 0; thread < threads; ++thread) {
    first[thread] = first[thread + 1];
  }
  first[threads] = count;
  return {threads, first, block};
}

int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least) {
  int behind = from + 1;
  Ticks joined = time == nullptr ? 0 : time[lists.block[from]];
  bool is_known = joined > 0;
  while (is_known && behind < end && joined < least &&
         lists.block[behind] == lists.block[behind - 1] + 1) {
    const Ticks more = time[lists.block[behind]];
    is_known = more > 0 && joined + more <= 2 * least;
    joined += more;
    behind += is_known ? 1 : 0;
  }
  return behind;
}

}  // namespace nestbind::balance
