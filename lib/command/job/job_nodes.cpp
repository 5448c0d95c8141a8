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

class Common {
 public:
  // At most one number may differ. The difference must be the same in all calls.
  bool takes(const std::vector<int>& one, const std::vector<int>& next) {
    if (one.size() != next.size()) {
      return false;
    }
    Step found;
    int differing = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] != next[i]) {
        found = {i, next[i] - one[i]};
        ++differing;
      }
    }
    const bool is_first = !step_;
    step_ = step_ ? step_ : found;
    return differing <= 1 && (is_first || *step_ == found);
  }

  Step step() const { return step_.value_or(Step{}); }

 private:
  std::optional<Step> step_;
};

std::vector<int> numbers_of(const Job& job, int rank, const Path& path) {
  const int number = number_of(job.ranks[rank]);
  if (number < 0) {
    return {};
  }
  std::vector<int> numbers{number};
  numbers.insert(numbers.end(), path.begin(), path.end());
  return numbers;
}

bool takes(Common& common, const Job& job, const Cell& one, const Cell& next) {
  const std::vector<int> numbers = numbers_of(job, one.rank, one.path);
  return !numbers.empty() && common.takes(numbers, numbers_of(job, next.rank, next.path));
}

bool takes(Common& common, const Job& job, const Group& one, const Group& next) {
  if (one.processors.size() != next.processors.size()) {
    return false;
  }
  for (std::size_t i = 0; i < one.processors.size(); ++i) {
    const Processor& a = one.processors[i];
    const Processor& b = next.processors[i];
    const bool is_same_core = i > 0 && a.core == one.processors[i - 1].core;
    const bool is_same_there = i > 0 && b.core == next.processors[i - 1].core;
    if (is_same_core != is_same_there ||
        !std::ranges::equal(a.cells, b.cells, [&](const Cell& cell, const Cell& other) {
          return takes(common, job, cell, other);
        })) {
      return false;
    }
  }
  return true;
}

bool takes(Common& common, const Job& job, const Wide& one, const Wide& next) {
  return one.cpus == next.cpus &&
         std::ranges::equal(one.paths, next.paths, [&](const Path& a, const Path& b) {
           return takes(common, job, Cell{one.rank, a}, Cell{next.rank, b});
         });
}

bool is_same_machine(const Group& one, const Group& next) {
  return one.package == next.package && one.numa == next.numa &&
         std::ranges::equal(one.processors, next.processors,
                            [](const Processor& a, const Processor& b) {
                              return a.cpu == b.cpu && a.core == b.core;
                            });
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

std::optional<Step> step_between(const Job& job, const Group& one, const Group& next) {
  Common common;
  return takes(common, job, one, next) ? std::optional(common.step()) : std::nullopt;
}

std::optional<int> step_between(const Job& job, const Node& one, const Node& next) {
  Common common;
  const bool is_alike =
      std::ranges::equal(one.groups, next.groups,
                         [&](const Group& a, const Group& b) {
                           return is_same_machine(a, b) && takes(common, job, a, b);
                         }) &&
      std::ranges::equal(one.wide, next.wide,
                         [&](const Wide& a, const Wide& b) { return takes(common, job, a, b); });
  const Step step = common.step();
  return is_alike && step.position == 0 ? std::optional(step.by) : std::nullopt;
}

}  // namespace nestbind::job
