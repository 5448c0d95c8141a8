// SPDX-License-Identifier: BSD-3-Clause
#include "nodes/launch_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace nestbind::nodes {

namespace {

// One host in each line, in the order of ranks.
std::string hosts(const Placed& placed) {
  std::string text;
  for (const RankPlace& place : placed.places) {
    text += placed.names[place.node] + "\n";
  }
  return text;
}

// MPICH's mpiexec takes each run of equal lines in a file of hosts for a node of its own, so ranks
// of one host would not share memory. Its rank map has the node of each rank.
std::string hydra_options(const Placed& placed) {
  std::string nodes;
  for (std::size_t node = 0; node < placed.names.size(); ++node) {
    nodes += fmt::format("{}{}:{}", node == 0 ? "" : ",", placed.names[node], placed.ranks[node]);
  }
  std::string of_ranks;
  for (const RankPlace& place : placed.places) {
    of_ranks += fmt::format("{}{}", of_ranks.empty() ? "" : ",", place.node);
  }
  return fmt::format("-hosts {} -rankmap {}\n", nodes, of_ranks);
}

// The logical cores of a slot.
std::string cores(const Placed& placed, const RankPlace& place) {
  const int slots = placed.ranks[place.node];
  if (placed.cores < slots) {
    return fmt::format("0-{}", placed.cores - 1);
  }
  const int first = place.slot * placed.cores / slots;
  const int last = (place.slot + 1) * placed.cores / slots - 1;
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

// The ranks in the order of slots, as Cray MPICH's rank order file has them.
std::string cray_order(const Placed& placed) {
  std::vector<int> ranks(placed.places.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::sort(ranks, {}, [&](int rank) {
    const RankPlace& place = placed.places[rank];
    return std::pair(place.node, place.slot);
  });
  std::string text;
  constexpr std::size_t kInLine = 16;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text +=
        fmt::format("{}{}", ranks[i], i + 1 == ranks.size() || (i + 1) % kInLine == 0 ? "\n" : ",");
  }
  return text;
}

}  // namespace

std::optional<LaunchFile> launch_file(std::string_view launcher, const std::string& file,
                                      const Placed& placed) {
  const std::size_t ranks = placed.places.size();
  if (launcher == "slurm") {
    return LaunchFile{hosts(placed),
                      fmt::format("SLURM_HOSTFILE={} srun --distribution=arbitrary --nodes={} "
                                  "--ntasks={} PROGRAM",
                                  file, placed.names.size(), ranks)};
  }
  if (launcher == "mpich") {
    return LaunchFile{
        hydra_options(placed),
        fmt::format("mpiexec $(cat {}) -n {} PROGRAM    (MPICH 4.1 or newer)", file, ranks)};
  }
  if (launcher == "intel") {
    return LaunchFile{hosts(placed),
                      fmt::format("mpiexec -machinefile {} -n {} PROGRAM", file, ranks)};
  }
  if (launcher == "openmpi" && placed.cores == 0) {
    return LaunchFile{hosts(placed),
                      fmt::format("mpirun -n {} --hostfile {} --map-by seq PROGRAM", ranks, file)};
  }
  if (launcher == "openmpi") {
    std::string text;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const RankPlace& place = placed.places[rank];
      text +=
          fmt::format("rank {}={} slot={}\n", rank, placed.names[place.node], cores(placed, place));
    }
    return LaunchFile{text, fmt::format("mpirun -n {0} --rankfile {1} PROGRAM\n"
                                        "mpirun -n {0} --map-by rankfile:file={1} PROGRAM    "
                                        "(Open MPI 5)",
                                        ranks, file)};
  }
  if (launcher == "cray") {
    return LaunchFile{cray_order(placed),
                      fmt::format("MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={} srun "
                                  "--ntasks={} PROGRAM",
                                  file, ranks)};
  }
  return std::nullopt;
}

}  // namespace nestbind::nodes
