// SPDX-License-Identifier: BSD-3-Clause
// The planner's functions for jobs on several nodes: they turn C types into the types of
// lib/planner/network and lib/planner/mapping/ranks.
#include "planner/planner_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/ranks/map_ranks.hpp"
#include "network/network.hpp"
#include "network/topology_file.hpp"
#include "planner/handles.hpp"

namespace nestbind {

struct PlannerNetwork {
  network::Network network;
};

namespace planner {

namespace {

using network::Network;

std::vector<std::string> texts(const char* const* all, int count) {
  return all == nullptr ? std::vector<std::string>() : std::vector<std::string>(all, all + count);
}

int refuse(PlannerMessage& message, const std::string& text) {
  tell(message, text);
  return NESTBIND_BAD_ARGUMENT;
}

std::string told(std::string_view text, const mapping::Fault& fault) {
  return fault.line == 0 ? fault.what : mapping::describe(text, fault);
}

std::optional<Network> network_of(const PlannerNodes& nodes, std::string& why) {
  const std::string_view text = nodes.network == nullptr ? "none" : nodes.network;
  const std::vector<std::string> names = texts(nodes.names, nodes.count);
  mapping::Fault fault;
  if (text == "none") {
    return Network::flat(nodes.count);
  }
  if (text == "switches") {
    return network::of_addresses(texts(nodes.paths, nodes.count));
  }
  if (!network::is_form(text)) {
    auto network = network::parse_topology(text, names, fault);
    why = network ? "" : told(text, fault);
    return network;
  }
  const auto form = network::parse_form(text, fault);
  if (!form) {
    why = told(text, fault);
    return std::nullopt;
  }
  if (nodes.coordinates != nullptr) {
    auto network = network::place_nodes(*form, names, nodes.coordinates, fault);
    why = network ? "" : told(nodes.coordinates, fault);
    return network;
  }
  if (form->positions() < nodes.count) {
    why = std::string(text) + " has fewer positions than the job has nodes, " +
          std::to_string(nodes.count);
    return std::nullopt;
  }
  return Network::regular(*form, nodes.count);
}

int make_network(const PlannerNodes& nodes, PlannerNetwork** made, PlannerMessage& message) {
  return guarded(message, [&] {
    std::string why;
    auto network = network_of(nodes, why);
    if (!network) {
      return refuse(message, why);
    }
    *made = new PlannerNetwork{std::move(*network)};
    return static_cast<int>(NESTBIND_OK);
  });
}

void forget(PlannerNetwork* network) { delete network; }

int copied(std::span<const int> numbers, int* out, int capacity) {
  const std::size_t room = capacity < 0 ? 0 : static_cast<std::size_t>(capacity);
  std::ranges::copy(numbers.first(std::min(numbers.size(), room)), out);
  return static_cast<int>(numbers.size());
}

int network_dims(const PlannerNetwork* network, int* sizes, int capacity) {
  return copied(network->network.lengths(), sizes, capacity);
}

int network_coordinates(const PlannerNetwork* network, int node, int* coordinates, int capacity) {
  if (node < 0 || node >= network->network.nodes()) {
    return -1;
  }
  return copied(network->network.coordinates(node), coordinates, capacity);
}

int node_at(const PlannerNetwork* network, const int* coordinates, int count) {
  for (int node = 0; node < network->network.nodes(); ++node) {
    const auto own = network->network.coordinates(node);
    if (std::ranges::equal(own, std::span(coordinates, static_cast<std::size_t>(count)))) {
      return node;
    }
  }
  return -1;
}

int network_hops(const PlannerNetwork* network, int a, int b) {
  return network->network.hops(a, b);
}

mapping::Grid grid_of(const PlannerGrid& given) {
  mapping::Grid grid;
  for (int d = 0; d < given.dims; ++d) {
    grid.lengths.push_back(given.lengths[d]);
    grid.is_closed.push_back(given.is_periodic[d] != 0);
    grid.weights.push_back(given.weights == nullptr ? 1 : given.weights[d]);
  }
  grid.stencil = static_cast<mapping::Stencil>(given.stencil);
  return grid;
}

mapping::RankGraph graph_of(const PlannerJob& job) {
  std::vector<mapping::Message> messages;
  const PlannerMessages& given = job.messages;
  for (int rank = 0; rank < job.ranks; ++rank) {
    for (long i = given.begin[rank]; i < given.begin[rank + 1]; ++i) {
      messages.push_back({rank, given.other[i], given.bytes == nullptr ? 1 : given.bytes[i]});
    }
  }
  return mapping::graph_of(job.ranks, messages);
}

int map_ranks(const PlannerJob& job, int* process, PlannerGain* gain, PlannerMessage& message) {
  return guarded(message, [&] {
    const int nodes = job.ranks == 0 ? 0 : *std::max_element(job.node, job.node + job.ranks) + 1;
    const Network flat = Network::flat(nodes);
    mapping::RankSlots slots;
    slots.network = job.network == nullptr ? &flat : &job.network->network;
    slots.node.assign(job.node, job.node + job.ranks);
    slots.levels = static_cast<std::size_t>(job.levels);
    slots.inner.assign(job.objects,
                       job.objects + static_cast<std::ptrdiff_t>(job.levels) * job.ranks);
    const mapping::Grid grid = grid_of(job.grid);
    const bool is_grid = job.grid.dims > 0;
    if (nodes > slots.network->nodes() || (is_grid && grid.ranks() != job.ranks) ||
        (!is_grid && job.messages.begin == nullptr)) {
      return refuse(message, "the ranks, nodes and grid of the job do not match");
    }
    const mapping::RankGraph graph = is_grid ? mapping::graph_of(grid) : graph_of(job);
    const mapping::RankMapping found =
        mapping::map_ranks({graph, is_grid ? &grid : nullptr, slots});
    std::ranges::copy(found.slot, process);
    if (gain != nullptr) {
      mapping::RankOrder plain(found.slot.size());
      std::iota(plain.begin(), plain.end(), 0);
      const auto before = mapping::traffic_of(graph, slots, plain);
      const auto after = mapping::traffic_of(graph, slots, found.slot);
      *gain = {before.between_nodes, after.between_nodes, before.hop_bytes, after.hop_bytes};
    }
    return static_cast<int>(NESTBIND_OK);
  });
}

}  // namespace

}  // namespace planner

}  // namespace nestbind

extern "C" __attribute__((visibility("default"))) const nestbind::RanksApi nestbind_planner_ranks_1;
const nestbind::RanksApi nestbind_planner_ranks_1 = {
    nestbind::planner::make_network, nestbind::planner::forget,
    nestbind::planner::network_dims, nestbind::planner::network_coordinates,
    nestbind::planner::node_at,      nestbind::planner::network_hops,
    nestbind::planner::map_ranks};
