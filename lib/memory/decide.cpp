// SPDX-License-Identifier: BSD-3-Clause
#include "memory/decide.hpp"

#include <numeric>

#include "memory/wide.hpp"

namespace nestbind::memory {
namespace {

constexpr unsigned kInPercent = 100;

bool may_replicate(const Counts& counts) {
  constexpr std::uint64_t kMostUsed = 25;     // of the memory, per cent
  constexpr std::uint64_t kMostModified = 5;  // of the refills, per cent
  if (counts.refills == 0 || counts.memory_total == 0) {
    return false;
  }
  const std::uint64_t used = counts.memory_total - counts.memory_free;
  return Wide{kInPercent} * used <= Wide{kMostUsed} * counts.memory_total &&
         Wide{kInPercent} * counts.modified <= Wide{kMostModified} * counts.refills;
}

}  // namespace

bool is_on(const Counts& counts, bool always) {
  const bool is_intense =
      counts.intensity == Intensity::kHigh || (counts.intensity == Intensity::kUnknown && always);
  return is_intense && counts.traffic.all() > 0;
}

Enabled enabled(const Counts& counts, bool always) {
  constexpr std::uint64_t kEvenEnough = 35;
  constexpr std::uint64_t kAllLocal = 100;
  constexpr std::uint64_t kLocalEnough = 80;
  if (!is_on(counts, always)) {
    return {};
  }
  Enabled result;
  result.replication = may_replicate(counts);
  result.interleaving = is_local_below(counts.traffic, kAllLocal) &&
                        is_imbalance_above(counts.traffic.to, kEvenEnough);
  result.migration = is_local_below(counts.traffic, kLocalEnough);
  return result;
}

Decision fate_of(const Page& page, const Enabled& enabled) {
  constexpr std::uint64_t kEnoughToMove = 2;
  int users = 0;
  int user = -1;
  std::uint64_t samples = 0;
  for (std::size_t node = 0; node < page.samples.size(); ++node) {
    if (page.samples[node] > 0) {
      ++users;
      user = static_cast<int>(node);
      samples += page.samples[node];
    }
  }
  if (users > 1 && enabled.replication && page.writes == 0) {
    return {Fate::kReplicate, -1};
  }
  if (users > 1 && enabled.interleaving) {
    return {Fate::kInterleave, -1};
  }
  const bool may_move = enabled.interleaving || (enabled.migration && samples >= kEnoughToMove);
  if (users == 1 && user != page.home && may_move) {
    return {Fate::kMove, user};
  }
  return {};
}

bool Replication::takes(std::size_t pages) {
  has_begun_ = has_begun_ || pages >= kFirstPages;
  return has_begun_ && pages > 0;
}

std::vector<unsigned> parts_of(std::span<const std::uint64_t> to) {
  const std::uint64_t all = std::accumulate(to.begin(), to.end(), std::uint64_t{0});
  std::vector<unsigned> parts(to.size());
  for (std::size_t node = 0; all > 0 && node < to.size(); ++node) {
    parts[node] = static_cast<unsigned>(Wide{kInPercent} * to[node] / all);
  }
  return parts;
}

unsigned weights_of(std::span<const unsigned> parts) {
  return std::accumulate(parts.begin(), parts.end(), 0U,
                         [](unsigned sum, unsigned part) { return sum + kInPercent - part; });
}

int node_drawn(std::span<const unsigned> parts, int home, unsigned x, unsigned pick) {
  if (x > parts[static_cast<std::size_t>(home)]) {
    return home;
  }
  unsigned below = 0;
  for (std::size_t node = 0; node < parts.size(); ++node) {
    below += kInPercent - parts[node];
    if (pick < below) {
      return static_cast<int>(node);
    }
  }
  return home;
}

}  // namespace nestbind::memory
