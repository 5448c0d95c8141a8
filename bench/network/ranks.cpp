// SPDX-License-Identifier: BSD-3-Clause
// The mapping of ranks beside other methods, on simulated networks. Nothing is measured but the
// seconds. Writes lines of CSV: see run.py.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fair.hpp"
#include "mapping/ranks/map_ranks.hpp"
#include "network/host_list.hpp"
#include "network/topology_file.hpp"
#ifdef NESTBIND_HAS_SCOTCH
#include "mapping/scotch/solve.hpp"
#endif

namespace {

using namespace nestbind::mapping;  // NOLINT
using bench::Sent;
using nestbind::network::Fault;
using nestbind::network::Network;
using Random = std::mt19937;

RankOrder plain_of(int ranks) {
  RankOrder plain(static_cast<std::size_t>(ranks));
  std::iota(plain.begin(), plain.end(), 0);
  return plain;
}

Grid grid_of(std::vector<int> lengths, bool is_closed) {
  const std::size_t dims = lengths.size();
  return {std::move(lengths), std::vector<bool>(dims, is_closed), std::vector<double>(dims, 1)};
}

// Gives the ranks other numbers, at random.
RankGraph scrambled(const RankGraph& graph) {
  RankOrder names = plain_of(graph.ranks());
  std::shuffle(names.begin(), names.end(), Random(1));
  std::vector<Message> messages;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      messages.push_back({names[rank], names[graph.other[at]], graph.bytes[at] / 2});
    }
  }
  return graph_of(graph.ranks(), messages);
}

// Like OpenAtom: each object belongs to a state and a plane, and exchanges data with all objects of
// its state and all of its plane.
RankGraph states_and_planes(int states, int planes) {
  std::vector<Message> messages;
  for (int state = 0; state < states; ++state) {
    for (int plane = 0; plane < planes; ++plane) {
      for (int other = plane + 1; other < planes; ++other) {
        messages.push_back({state * planes + plane, state * planes + other, 2});
      }
      for (int other = state + 1; other < states; ++other) {
        messages.push_back({state * planes + plane, other * planes + plane, 1});
      }
    }
  }
  return graph_of(states * planes, messages);
}

RankSlots slots_on(const Network& network, int ranks) {
  RankSlots slots;
  slots.network = &network;
  for (int rank = 0; rank < ranks; ++rank) {
    slots.node.push_back(static_cast<int>(static_cast<long>(rank) * network.nodes() / ranks));
  }
  return slots;
}

// Blocks as a user makes them by hand (Cray's grid_order): the best block for a node that divides
// the grid; blocks in the order of their rows.
std::optional<RankOrder> by_hand(const Grid& grid, const RankGraph& graph, const RankSlots& slots) {
  const int each = slots.count() / slots.network->nodes();
  const std::size_t dims = grid.lengths.size();
  std::optional<RankOrder> best;
  double least = 0;
  std::vector<int> block(dims, 1);
  const std::function<void(std::size_t, int)> choose = [&](std::size_t d, int left) {
    if (d < dims) {
      for (int length = 1; length <= std::min(left, grid.lengths[d]); ++length) {
        if (left % length == 0 && grid.lengths[d] % length == 0) {
          block[d] = length;
          choose(d + 1, left / length);
        }
      }
      return;
    }
    if (left != 1) {
      return;
    }
    RankOrder order;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
      int outer = 0;
      int inner = 0;
      int rest = rank;
      int outer_step = 1;
      int inner_step = 1;
      for (std::size_t at = dims; at-- > 0; rest /= grid.lengths[at]) {
        const int own = rest % grid.lengths[at];
        outer += own / block[at] * outer_step;
        inner += own % block[at] * inner_step;
        outer_step *= grid.lengths[at] / block[at];
        inner_step *= block[at];
      }
      order.push_back(outer * each + inner);
    }
    const double cut = bytes_between_nodes(graph, slots, order);
    if (!best || cut < least) {
      least = cut;
      best = std::move(order);
    }
  };
  choose(0, each);
  return best;
}

#ifdef NESTBIND_HAS_SCOTCH
// SCOTCH alone, with its tree of levels (tleaf). The last level has the ranks of a node. It knows
// no torus whose nodes have several ranks: there it only makes the nodes' parts.
std::optional<RankOrder> by_scotch(const RankGraph& graph, const RankSlots& slots) {
  const Network& network = *slots.network;
  const int each = slots.count() / network.nodes();
  Target target;
  const bool is_tree = network.kind() == nestbind::network::Kind::kTree;
  const auto& lengths = network.lengths();
  long positions = 1;
  for (const int length : lengths) {
    positions *= length;
  }
  if (is_tree && positions == network.nodes()) {
    for (std::size_t level = 0; level < lengths.size(); ++level) {
      target.children.push_back(lengths[level]);
      target.distance.push_back(static_cast<int>(lengths.size() - level) * 10);
    }
  } else {
    target.children.push_back(network.nodes());
    target.distance.push_back(10);
  }
  target.children.push_back(each);
  target.distance.push_back(1);
  target.leaf = plain_of(slots.count());
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      if (graph.other[at] > rank) {
        target.edges.push_back({rank, graph.other[at], static_cast<int>(graph.bytes[at])});
      }
    }
  }
  auto order = nestbind::mapping::scotch::solve(target);
  return order ? std::optional(settle(target, *order)) : std::nullopt;
}
#endif

std::vector<Sent> messages_of(const RankGraph& graph, const RankSlots& slots,
                              const RankOrder& order) {
  std::vector<Sent> messages;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      messages.push_back(
          {slots.node[order[rank]], slots.node[order[graph.other[at]]], graph.bytes[at] / 2});
    }
  }
  return messages;
}

// The processor time of this process, in seconds: other processes do not count.
double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * kNanosecond;
}

struct Job {
  std::string name;
  Network network;
  RankGraph graph;
  std::optional<Grid> grid;
};

void compare(const Job& job) {
  const RankSlots slots = slots_on(job.network, job.graph.ranks());
  const RankProblem problem{job.graph, job.grid ? &*job.grid : nullptr, slots};
  const auto show = [&](const char* method, const std::function<std::optional<RankOrder>()>& map) {
    const double start = now();
    const auto order = map();
    const double seconds = now() - start;
    if (!order) {
      return;
    }
    const RankTraffic traffic = traffic_of(job.graph, slots, *order);
    const bench::Times times = times_of(job.network, messages_of(job.graph, slots, *order));
    std::printf("\"%s\",%s,%.0f,%.0f,%.0f,%.1f,%.3f\n", job.name.c_str(), method,
                traffic.between_nodes, traffic.hop_bytes, traffic.busiest_load, times.slowest,
                seconds);
    std::fflush(stdout);
  };
  const int ranks = job.graph.ranks();
  show("default", [&] { return plain_of(ranks); });
  show("random", [&] {
    RankOrder order = plain_of(ranks);
    std::shuffle(order.begin(), order.end(), Random(2));
    return order;
  });
  show("greedy", [&] { return order_by(problem, RankMethod::kGreedy); });
  if (job.grid) {
    show("blocks by hand", [&] { return by_hand(*job.grid, job.graph, slots); });
  }
#ifdef NESTBIND_HAS_SCOTCH
  show("SCOTCH alone", [&] { return by_scotch(job.graph, slots); });
#endif
  show("nestbind", [&] { return map_ranks(problem).slot; });
}

Network form(const char* text, int nodes) {
  Fault fault;
  return Network::regular(*nestbind::network::parse_form(text, fault), nodes);
}

Job stencil(const std::string& name, Network network, std::vector<int> lengths, bool is_closed,
            bool is_scrambled) {
  const Grid grid = grid_of(std::move(lengths), is_closed);
  const RankGraph graph = graph_of(grid);
  return {name, std::move(network), is_scrambled ? scrambled(graph) : graph,
          is_scrambled ? std::nullopt : std::optional(grid)};
}

// The first so many nodes of a file of Slurm, in the order of the file.
Network fabric(const std::string& file, int nodes) {
  std::ifstream stream(file);
  std::ostringstream read;
  read << stream.rdbuf();
  const std::string text = read.str();
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string word; lines >> word;) {
    Fault fault;
    if (word.starts_with("Nodes=")) {
      const auto hosts = nestbind::network::parse_hosts(word.substr(6), fault);
      names.insert(names.end(), hosts->begin(), hosts->end());
    }
  }
  names.resize(static_cast<std::size_t>(nodes));
  Fault fault;
  return *nestbind::network::parse_topology(text, names, fault);
}

void peers(const std::string& fabrics) {
  compare(
      stencil("8x8x8 torus, 16x16x16 ranks", form("torus:8x8x8", 512), {16, 16, 16}, true, false));
  compare(stencil("8x8x8 torus, 16x16x16 ranks scrambled", form("torus:8x8x8", 512), {16, 16, 16},
                  true, true));
  compare(
      stencil("16x16x24 torus, 64x96 ranks", form("torus:16x16x24", 6144), {64, 96}, true, false));
  compare({"8x8x8 torus, 32 states of 16 planes", form("torus:8x8x8", 512),
           states_and_planes(32, 16), std::nullopt});
  compare({"8x8x8 torus, 64 states of 32 planes", form("torus:8x8x8", 512),
           states_and_planes(64, 32), std::nullopt});
  compare(stencil("fat tree 8,8, 16x16x16 ranks", form("tree:8,8", 64), {16, 16, 16}, true, false));
  compare(stencil("fat tree 8,8, 16x16x16 ranks scrambled", form("tree:8,8", 64), {16, 16, 16},
                  true, true));
  compare(stencil("fat tree 6,6, 24x48 ranks", form("tree:6,6", 36), {24, 48}, false, false));
  compare({"fat tree 8,8, transpose of 32x16", form("tree:8,8", 64), states_and_planes(32, 16),
           std::nullopt});
  compare(stencil("dragonfly 9x4x4, 24x24x16 ranks", form("dragonfly:9x4x4", 144), {24, 24, 16},
                  true, false));
  for (const auto& [name, nodes, lengths] : {std::tuple("avakas", 256, std::vector{16, 16, 16}),
                                             std::tuple("plafrim", 120, std::vector{24, 20, 8}),
                                             std::tuple("plafrim2", 96, std::vector{16, 12, 8})}) {
    const std::string file = fabrics + "/" + name + ".conf";
    if (std::ifstream(file)) {
      std::string told = std::string(name) + ", " + std::to_string(lengths[0]) + "x" +
                         std::to_string(lengths[1]) + "x" + std::to_string(lengths[2]) + " ranks";
      compare(stencil(told, fabric(file, nodes), lengths, false, false));
      compare(stencil(told + " scrambled", fabric(file, nodes), lengths, false, true));
    }
  }
}

// Random pairs of nodes that are `away` hops apart; 0 for any distance.
std::vector<Sent> partners(const Network& network, int away, Random& random) {
  std::vector<int> free = plain_of(network.nodes());
  std::shuffle(free.begin(), free.end(), random);
  std::vector<int> partner(free.size(), -1);
  while (!free.empty()) {
    const int one = free.back();
    free.pop_back();
    if (partner[one] >= 0) {
      continue;
    }
    std::vector<int> others;
    std::vector<int> alone;
    for (int other = 0; other < network.nodes(); ++other) {
      if (other != one && (away == 0 || network.hops(one, other) == away)) {
        (partner[other] < 0 ? alone : others).push_back(other);
      }
    }
    const std::vector<int>& some = alone.empty() ? others : alone;
    const int other = some[random() % some.size()];
    if (partner[other] >= 0) {
      free.push_back(partner[other]);
      partner[partner[other]] = -1;
    }
    partner[one] = other;
    partner[other] = one;
  }
  std::vector<Sent> messages;
  for (int node = 0; node < network.nodes(); ++node) {
    messages.push_back({node, partner[node], 1});
  }
  return messages;
}

void distances() {
  Random random(1);
  for (const char* text : {"torus:8x8x8", "torus:16x16x16", "torus:16x16x24"}) {
    Fault fault;
    const auto shape = nestbind::network::parse_form(text, fault);
    const Network network = Network::regular(*shape, static_cast<int>(shape->positions()));
    for (const int away : {1, 2, 4, 6, 8, 0}) {
      const bench::Times times = times_of(network, partners(network, away, random));
      std::printf("%s,%s,%.3f,%.3f\n", text, away == 0 ? "random" : std::to_string(away).c_str(),
                  times.mean, times.slowest);
    }
  }
}

void scale(int side_x, int side_y, int side_z, bool is_scrambled, const char* network) {
  const int ranks = side_x * side_y * side_z;
  const int nodes = std::max(1, ranks / 64);
  const Job job =
      stencil("", std::strcmp(network, "none") == 0 ? Network::flat(nodes) : form(network, nodes),
              {side_x, side_y, side_z}, true, is_scrambled);
  const RankSlots slots = slots_on(job.network, ranks);
  const double start = now();
  const RankMapping found = map_ranks({job.graph, job.grid ? &*job.grid : nullptr, slots});
  const double seconds = now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%d,%s,\"%s\",%.0f,%.2f,%.0f\n", ranks, is_scrambled ? "scrambled" : "grid", network,
              traffic_of(job.graph, slots, found.slot).between_nodes, seconds,
              static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "peers" && count == 3) {
    peers(words[2]);
  } else if (what == "distances") {
    distances();
  } else if (what == "scale" && count == 7) {
    scale(std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4]),
          std::strcmp(words[5], "scrambled") == 0, words[6]);
  } else {
    std::fputs(
        "usage: map_ranks_bench peers FOLDER | distances | scale X Y Z grid|scrambled NETWORK\n",
        stderr);
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
