// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map/asked_nodes.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <map>
#include <numeric>

#include "cli/common/say.hpp"
#include "cli/common/usual_options.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "cli/subcommand.hpp"
#include "job/facts.hpp"
#include "network/host_list.hpp"
#include "network/topology_file.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

using mapping::Fault;

constexpr std::size_t kMostFile = std::size_t{64} << 20;
constexpr int kMostOnNode = 1 << 20;
constexpr long kMostInJob = 1 << 24;

bool read_file(const std::string& name, std::string& text, int& status) {
  const int error =
      support::read_user_file(name.c_str(), kMostFile, support::Streams::kRefused, text);
  if (error != 0) {
    say("{}: {}", name, support::why_unread(error));
    status = kFailure;
  }
  return error == 0;
}

// Says a fault in a text, and returns nothing.
std::nullopt_t refuse(const std::string& where, std::string_view text, const Fault& fault,
                      int& status) {
  say_printable(printable(where) + (fault.line == 0 ? ": " + printable(fault.what)
                                                    : ", " + mapping::describe(text, fault)));
  status = kUsage;
  return std::nullopt;
}

template <typename... Args>
std::nullopt_t refuse(int& status, fmt::format_string<Args...> format, Args&&... args) {
  say_printable(format_printable(format, std::forward<Args>(args)...));
  status = kUsage;
  return std::nullopt;
}

// Hosts, and how often each appears or how many slots a host file gives it.
struct Hosts {
  std::vector<std::string> names;
  std::vector<int> slots;
  bool has_slots = false;
  void add(const std::string& name, int count) {
    const auto [found, is_new] = index_.emplace(name, names.size());
    if (is_new) {
      names.push_back(name);
      slots.push_back(0);
    }
    has_slots = has_slots || !is_new || count != 1;
    slots[found->second] += count;
  }

 private:
  std::map<std::string, std::size_t> index_;
};

// Lines "HOST", "HOST slots=N" (Open MPI) or "HOST:N" (MPICH).
std::optional<Hosts> read_host_file(const std::string& name, int& status) {
  std::string text;
  if (!read_file(name, text, status)) {
    return std::nullopt;
  }
  Hosts hosts;
  for (mapping::Lines lines(text); lines.next();) {
    if (lines.at_end() || lines.cursor().is_at('#')) {
      continue;
    }
    std::size_t& at = lines.cursor().at;
    const std::string host(lines.take_word(':'));
    int count = 1;
    const bool has_colon = lines.cursor().is_at(':');
    const bool is_end = !has_colon && lines.at_end();
    const bool has_slots = !has_colon && lines.line().substr(at).starts_with("slots=");
    at += has_colon ? 1 : has_slots ? std::strlen("slots=") : 0;
    if (host.empty() || (!is_end && ((!has_colon && !has_slots) ||
                                     !lines.read_number(kMostOnNode, count) || count < 1))) {
      return refuse(name, text,
                    lines.fault("not a line of a host file", "HOST, HOST:N or HOST slots=N"),
                    status);
    }
    hosts.add(host, count);
  }
  if (hosts.names.empty()) {
    return refuse(status, "{} names no host", name);
  }
  return hosts;
}

std::optional<Hosts> read_host_list(const std::string& where, const std::string& list,
                                    int& status) {
  Fault fault;
  const auto names = network::parse_hosts(list, fault);
  if (!names) {
    return refuse(where, list, fault, status);
  }
  Hosts hosts;
  for (const std::string& name : *names) {
    hosts.add(name, 1);
  }
  return hosts;
}

// Reads "64", "8,8,4" or Slurm's "8(x3),4".
std::optional<std::vector<int>> read_counts(const std::string& where, const std::string& text,
                                            int& status) {
  std::vector<int> counts;
  long ranks = 0;
  mapping::Lines line(text);
  line.next();
  std::size_t& at = line.cursor().at;
  do {
    const std::size_t begin = at;
    int count = 0;
    int times = 1;
    bool is_good = line.read_number(kMostOnNode, count) && count > 0;
    if (is_good && text.compare(at, 2, "(x") == 0) {
      at += 2;
      is_good = line.read_number(network::kMostHosts, times) && line.cursor().is_at(')');
      at += is_good ? 1 : 0;
    }
    ranks += static_cast<long>(count) * times;
    if (!is_good || ranks > kMostInJob) {
      return refuse(
          where, text,
          line.fault_at(count > 0 ? at : begin, is_good ? "too many ranks" : "no number of ranks",
                        "64, 8,8,4 or 8(x3),4"),
          status);
    }
    counts.insert(counts.end(), static_cast<std::size_t>(times), count);
  } while (line.cursor().is_at(',') && ++at > 0);
  return line.cursor().at_end()
             ? std::optional(counts)
             : refuse(where, text, line.fault("not a list of numbers", "a comma"), status);
}

// Fills nodes in their order with the ranks of the job. Launchers leave nodes empty only if a host
// file has too many; other nodes without a rank are a mistake.
std::optional<AskedNodes> filled(AskedNodes nodes, int ranks, bool may_leave, int& status) {
  const long room = std::accumulate(nodes.ranks.begin(), nodes.ranks.end(), 0L);
  if (ranks > room) {
    return refuse(status, "map: {} ranks do not fit on {} with room for {}", ranks,
                  job::counted(nodes.ranks.size(), "node"), room);
  }
  int left = ranks == 0 ? INT_MAX : ranks;
  for (int& count : nodes.ranks) {
    count = std::min(count, left);
    left -= count;
  }
  const auto used = std::ranges::find(nodes.ranks, 0) - nodes.ranks.begin();
  if (used < static_cast<std::ptrdiff_t>(nodes.ranks.size()) && !may_leave) {
    return refuse(status, "map: {} ranks leave the node {} without a rank", ranks,
                  nodes.names[static_cast<std::size_t>(used)]);
  }
  nodes.ranks.resize(static_cast<std::size_t>(used));
  nodes.names.resize(static_cast<std::size_t>(used));
  return nodes;
}

std::optional<std::string> slurm_topology(int& status) {
  const auto scontrol = inspect::find_program("scontrol");
  if (!scontrol) {
    return refuse(status, "--network slurm: scontrol is not in PATH");
  }
  std::vector<std::string> own;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    own.emplace_back(*entry);
  }
  int answered = -1;
  auto text = inspect::answer_of({*scontrol, "show", "topology"}, own, "",
                                 inspect::Errors::kDropped, answered);
  if (!text || answered != 0) {
    return refuse(status,
                  "--network slurm: \"scontrol show topology\" has no answer; Slurm may not "
                  "run, or has no topology plugin");
  }
  return text;
}

}  // namespace

void add_network_options(CLI::App& command, NodesOptions& options) {
  add_option(command, "--network", "NETWORK|FILE", options.network,
             "The network between nodes: none (the default), slurm, torus:8x8x8, mesh:8x8, "
             "tree:16,18, dragonfly:9x4x4, or Slurm's topology.conf or topology.yaml");
  add_option(command, "--coordinates", "FILE", options.coordinates,
             "Where the nodes are in the network: lines with a node and its coordinates");
}

std::optional<AskedNodes> read_nodes(const NodesOptions& options, int ranks, int& status) {
  AskedNodes nodes;
  std::optional<Hosts> hosts;
  std::string counts = options.ranks_per_node;
  std::string where = "--ranks-per-node";
  const std::string pbs = variable("PBS_NODEFILE");
  if (!options.nodes.empty()) {
    hosts =
        access(options.nodes.c_str(), R_OK) == 0 || options.nodes.find('/') != options.nodes.npos
            ? read_host_file(options.nodes, status)
            : read_host_list("--nodes", options.nodes, status);
  } else if (const std::string list = variable("SLURM_JOB_NODELIST"); !list.empty()) {
    hosts = read_host_list("SLURM_JOB_NODELIST", list, status);
    if (counts.empty()) {
      counts = variable("SLURM_TASKS_PER_NODE");
      where = "SLURM_TASKS_PER_NODE";
    }
  } else if (!pbs.empty()) {
    hosts = read_host_file(pbs, status);
  }
  if (status != kSuccess) {
    return std::nullopt;
  }
  if (hosts) {
    nodes.has_names = true;
    nodes.names = hosts->names;
    nodes.ranks = hosts->slots;
  }
  if (!counts.empty()) {
    auto numbers = read_counts(where, counts, status);
    if (!numbers) {
      return std::nullopt;
    }
    if (!hosts && numbers->size() == 1 && ranks == 0) {
      return refuse(status,
                    "the number of ranks is not known; expected --nodes HOSTS, or one "
                    "number for each node in --ranks-per-node");
    }
    if (numbers->size() == 1) {
      const int each = numbers->front();
      numbers->assign(
          hosts ? nodes.names.size() : static_cast<std::size_t>((ranks + each - 1) / each), each);
    } else if (hosts && numbers->size() != nodes.names.size()) {
      return refuse(status, "{} has {} numbers for {} nodes", where, numbers->size(),
                    nodes.names.size());
    } else if (const int sum = std::accumulate(numbers->begin(), numbers->end(), 0);
               ranks != 0 && sum != ranks) {
      return refuse(status, "{} has {} ranks, but there are {}", where, sum, ranks);
    }
    nodes.ranks = *numbers;
  } else if (!hosts) {
    return refuse(status,
                  "the nodes are not known; expected --nodes HOSTS or --ranks-per-node "
                  "NUMBER outside a job");
  } else if (!hosts->has_slots && ranks > 0) {
    // As Slurm distributes tasks when nobody says how many a node has.
    const int count = static_cast<int>(nodes.names.size());
    for (int node = 0; node < count; ++node) {
      nodes.ranks[node] = ranks / count + (node < ranks % count ? 1 : 0);
    }
  }
  nodes.is_counted = !counts.empty() || hosts->has_slots;
  for (std::size_t node = nodes.names.size(); node < nodes.ranks.size(); ++node) {
    nodes.names.push_back("node" + std::to_string(node));
  }
  return filled(std::move(nodes), ranks, counts.empty() && hosts->has_slots, status);
}

std::optional<network::Network> read_network(const NodesOptions& options,
                                             const std::vector<std::string>& names, int& status) {
  const std::string& asked = options.network;
  const int count = static_cast<int>(names.size());
  const bool is_form = network::is_form(asked);
  if (!options.coordinates.empty() && !is_form) {
    return refuse(status, "--coordinates needs --network torus:, mesh:, tree: or dragonfly:");
  }
  if (asked.empty() || asked == "none") {
    return network::Network::flat(count);
  }
  Fault fault;
  if (!is_form) {
    std::string text;
    if (asked == "slurm") {
      const auto answer = slurm_topology(status);
      if (!answer) {
        return std::nullopt;
      }
      text = *answer;
    } else if (access(asked.c_str(), F_OK) != 0 && asked.find_first_of("./") == asked.npos) {
      network::parse_form(asked, fault);
      return refuse("--network", asked, fault, status);
    } else if (!read_file(asked, text, status)) {
      return std::nullopt;
    }
    auto network = network::parse_topology(text, names, fault);
    return network
               ? std::move(network)
               : refuse(asked == "slurm" ? "scontrol show topology" : asked, text, fault, status);
  }
  const auto form = network::parse_form(asked, fault);
  if (!form) {
    return refuse("--network", asked, fault, status);
  }
  if (!options.coordinates.empty()) {
    std::string text;
    if (!read_file(options.coordinates, text, status)) {
      return std::nullopt;
    }
    auto network = network::place_nodes(*form, names, text, fault);
    return network ? std::move(network) : refuse(options.coordinates, text, fault, status);
  }
  if (form->positions() < count) {
    return refuse(status, "--network {} has {} positions for {} nodes", asked, form->positions(),
                  count);
  }
  return network::Network::regular(*form, count);
}

}  // namespace nestbind::cli
