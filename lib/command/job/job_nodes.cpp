// SPDX-License-Identifier: BSD-3-Clause
#include "job/job_nodes.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace nestbind::job {

namespace {

// If reports differ, the first report is used.
class Machine {
 public:
  void add(const std::vector<Core>& cores) {
    for (const Core& core : cores) {
      const bool is_new =
          std::ranges::none_of(core.cpus, [this](int cpu) { return core_of_.contains(cpu); });
      if (!core.cpus.empty() && is_new) {
        for (const int cpu : core.cpus) {
          core_of_[cpu] = cores_.size();
        }
        cores_.push_back(core);
      }
    }
  }

  void add_unknown(int cpu) {
    if (!core_of_.contains(cpu)) {
      add({{.cpus = {cpu}}});
    }
  }

  bool is_one_core(const Cpus& cpus) const {
    const auto core = [this](int cpu) {
      const auto found = core_of_.find(cpu);
      return found == core_of_.end() ? -1 - static_cast<long>(cpu)
                                     : static_cast<long>(found->second);
    };
    return std::ranges::all_of(cpus, [&](int cpu) { return core(cpu) == core(cpus[0]); });
  }

  std::vector<Group> groups() const {
    std::vector<Core> cores = cores_;
    std::ranges::sort(cores, {}, [](const Core& core) {
      return std::tuple(core.package < 0 && core.numa < 0, core.package, core.numa, core.core,
                        core.cpus[0]);
    });
    std::vector<Group> groups;
    for (const Core& core : cores) {
      if (groups.empty() || groups.back().package != core.package ||
          groups.back().numa != core.numa) {
        groups.push_back({.package = core.package, .numa = core.numa, .processors = {}});
      }
      for (const int cpu : core.cpus) {
        groups.back().processors.push_back({.cpu = cpu, .core = core.core, .cells = {}});
      }
    }
    return groups;
  }

 private:
  std::vector<Core> cores_;
  std::map<int, std::size_t> core_of_;
};

Machine machine_of(const Job& job, Node& node) {
  Machine machine;
  for (const int index : node.ranks) {
    machine.add(job.ranks[index].cores);
    node.has_machine = node.has_machine || !job.ranks[index].cores.empty();
  }
  for (const int index : node.ranks) {
    machine.add(job.ranks[index].seen);
  }
  for (const int index : node.ranks) {
    for (const Thread& thread : job.ranks[index].threads) {
      for (const int cpu : thread.cpus) {
        machine.add_unknown(cpu);
      }
    }
  }
  return machine;
}

void put_ranks(const Job& job, const Machine& machine, Node& node) {
  std::map<int, std::vector<Cell>> cells;
  for (const int index : node.ranks) {
    std::map<Cpus, std::vector<Path>> wide;
    for (const Thread& thread : job.ranks[index].threads) {
      if (thread.cpus.empty() || !machine.is_one_core(thread.cpus)) {
        wide[thread.cpus].push_back(thread.path);
        continue;
      }
      for (const int cpu : thread.cpus) {
        cells[cpu].push_back({index, thread.path});
      }
    }
    for (auto& [cpus, paths] : wide) {
      node.wide.push_back({index, cpus, std::move(paths)});
    }
  }
  for (Group& group : node.groups) {
    for (Processor& processor : group.processors) {
      processor.cells = std::move(cells[processor.cpu]);
    }
  }
}

}  // namespace

std::vector<Node> nodes_of(const Job& job) {
  std::vector<Node> nodes;
  std::map<std::string, std::size_t> number;
  for (int index = 0; index < static_cast<int>(job.ranks.size()); ++index) {
    const std::string& name = job.ranks[index].node;
    const auto [found, is_new] = number.try_emplace(name, nodes.size());
    if (is_new) {
      nodes.emplace_back().name = name;
    }
    nodes[found->second].ranks.push_back(index);
  }
  for (Node& node : nodes) {
    const Machine machine = machine_of(job, node);
    node.groups = machine.groups();
    put_ranks(job, machine, node);
  }
  return nodes;
}

}  // namespace nestbind::job
