// SPDX-License-Identifier: BSD-3-Clause
// The planner's function for jobs on several nodes: it turns C types into the types of
// lib/planner/network and lib/planner/mapping/ranks.
#include "planner/planner_ranks.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "mapping/ranks/map_ranks.hpp"
#include "network/network.hpp"
#include "network/topology_file.hpp"

namespace nestbind::planner {

namespace {

using network::Network;

mapping::Grid grid_of(const nestbind_job& job) {
  mapping::Grid grid;
  grid.lengths.assign(job.lengths, job.lengths + job.dims);
  grid.is_closed.assign(job.is_periodic, job.is_periodic + job.dims);
  grid.weights.assign(grid.lengths.size(), 1);
  return grid;
}

mapping::RankGraph graph_of(const nestbind_job& job) {
  std::vector<mapping::Message> messages;
  messages.reserve(static_cast<std::size_t>(job.edges));
  for (int i = 0; i < job.edges; ++i) {
    messages.push_back({job.edge[i].from, job.edge[i].to, job.edge[i].bytes});
  }
  return mapping::graph_of(job.ranks, std::move(messages));
}

void map_ranks(const nestbind_job& job, int* process, nestbind_gain& gain) {
  const Network network =
      job.path == nullptr
          ? Network::flat(job.nodes)
          : network::of_addresses(std::vector<std::string>(job.path, job.path + job.nodes));
  mapping::RankSlots slots;
  slots.network = &network;
  slots.node.assign(job.node, job.node + job.ranks);
  const bool is_grid = job.dims > 0;
  const mapping::Grid grid = is_grid ? grid_of(job) : mapping::Grid();
  const mapping::RankGraph graph = is_grid ? mapping::graph_of(grid) : graph_of(job);
  const mapping::RankMapping found = mapping::map_ranks({graph, is_grid ? &grid : nullptr, slots});
  std::ranges::copy(found.slot, process);
  gain = {found.before.between_nodes, found.after.between_nodes, found.before.hop_bytes,
          found.after.hop_bytes};
}

}  // namespace

}  // namespace nestbind::planner

extern "C" __attribute__((visibility("default"))) int nestbind_planner_ranks_1(
    const nestbind_job* job, int* process, nestbind_gain* gain) {
  try {
    nestbind::planner::map_ranks(*job, process, *gain);
    return 1;
  } catch (const std::exception&) {
    return 0;
  }
}
