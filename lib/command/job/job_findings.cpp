// SPDX-License-Identifier: BSD-3-Clause
#include "job/job_findings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "mask/cpu_list.hpp"

namespace nestbind::job {

namespace {

std::string processors(const Cpus& cpus) {
  return (cpus.size() == 1 ? "processor " : "processors ") + mask::list(cpus);
}

constexpr char kWhyMissing[] =
    ": it is missing, no team was forked there, or several ranks wrote to one file";

class Finder {
 public:
  Finder(const Job& job, const std::vector<Node>& nodes) : job_(job), nodes_(nodes) {}

  std::vector<Finding> find() {
    for (const Node& node : nodes_) {
      find_overlap(node);
    }
    find_crowded();
    find_unbound();
    for (const Node& node : nodes_) {
      find_idle(node);
    }
    find_different("the specification ", [](const Rank& rank) { return specs_of(rank); });
    find_different("teams of ", [](const Rank& rank) { return sizes_of(rank); });
    find_different("", [](const Rank& rank) { return counted(rank.threads.size(), "thread"); });
    find_missing();
    for (const Node& node : nodes_) {
      find_missing_by_hand(node);
    }
    find_twice();
    for (const Node& node : nodes_) {
      find_twice_on(node);
    }
    for (const BadFile& bad : job_.bad) {
      add(Kind::kFile, "", {}, {}, bad.file + ": " + bad.fault);
    }
    return std::move(findings_);
  }

 private:
  void add(Kind kind, const std::string& node, std::vector<std::string> ranks, Cpus cpus,
           std::string text) {
    findings_.push_back({kind, node, std::move(ranks), std::move(cpus), std::move(text)});
  }

  // Several processes of one rank count as one rank.
  void find_overlap(const Node& node) {
    std::map<int, Names> ranks_on;
    for (const int index : node.ranks) {
      const std::string name = name_of(job_.ranks[index]);
      for (const int cpu : cpus_of(job_.ranks[index])) {
        ranks_on[cpu].add(name);
      }
    }
    std::map<std::vector<std::string>, Cpus> shared;
    std::vector<std::vector<std::string>> order;
    for (const auto& [cpu, ranks] : ranks_on) {
      const std::vector<std::string>& names = ranks.all();
      if (names.size() > 1) {
        if (!shared.contains(names)) {
          order.push_back(names);
        }
        shared[names].push_back(cpu);
      }
    }
    for (const std::vector<std::string>& names : order) {
      const Cpus& cpus = shared[names];
      add(Kind::kOverlap, node.name, names, cpus,
          processors(cpus) + (cpus.size() == 1 ? " has" : " have") + " threads of " +
              in_words(names));
    }
  }

  void find_crowded() {
    for (const Rank& rank : job_.ranks) {
      const Cpus cpus = cpus_of(rank);
      if (!cpus.empty() && cpus.size() < rank.threads.size()) {
        add(Kind::kCrowded, rank.node, {name_of(rank)}, cpus,
            in_words({name_of(rank)}) + " has " + counted(rank.threads.size(), "thread") + " on " +
                processors(cpus) + (rank.allowed == cpus ? ", and may use no other" : ""));
      }
    }
  }

  void find_unbound() {
    for (const Node& node : nodes_) {
      for (const int index : node.ranks) {
        const Rank& rank = job_.ranks[index];
        const std::set<Cpus> wide = wide_of(node, index);
        const auto free =
            static_cast<std::size_t>(std::ranges::count_if(rank.threads, [&](const Thread& thread) {
              return !thread.is_bound && wide.contains(thread.cpus);
            }));
        if (free > 0) {
          const bool is_all = free == rank.threads.size();
          add(Kind::kUnbound, node.name, {name_of(rank)}, cpus_of(rank),
              in_words({name_of(rank)}) + ": " + (is_all ? "" : std::to_string(free) + " of ") +
                  counted(rank.threads.size(), "thread") + (free == 1 ? " is" : " are") +
                  " not bound, and may run on " + processors(cpus_of(rank)));
        }
      }
    }
  }

  static std::set<Cpus> wide_of(const Node& node, int index) {
    std::set<Cpus> all;
    for (const Wide& wide : node.wide) {
      if (wide.rank == index && !wide.cpus.empty()) {
        all.insert(wide.cpus);
      }
    }
    return all;
  }

  void find_idle(const Node& node) {
    std::map<int, Cpus> packages;
    std::set<int> used;
    for (const int index : node.ranks) {
      const Cpus cpus = cpus_of(job_.ranks[index]);
      used.insert(cpus.begin(), cpus.end());
    }
    std::set<int> busy;
    for (const Group& group : node.groups) {
      for (const Processor& processor : group.processors) {
        packages[group.package].push_back(processor.cpu);
        if (used.contains(processor.cpu)) {
          busy.insert(group.package);
        }
      }
    }
    for (auto& [package, cpus] : packages) {
      std::ranges::sort(cpus);
      if (package >= 0 && busy.contains(package)) {
        find_denied(node, package, cpus);
      } else if (package >= 0) {
        add(Kind::kIdle, node.name, {}, cpus,
            "package " + std::to_string(package) + " is idle (" + processors(cpus) + ")" +
                (is_allowed(node, cpus) ? "" : ": no rank may run there"));
      }
    }
  }

  // Other processors of the package are busy. If a rank is not bound, there is no finding.
  void find_denied(const Node& node, int package, Cpus cpus) {
    const bool is_bound = std::ranges::all_of(node.ranks, [&](int index) {
      const std::optional<Part>& part = job_.ranks[index].part;
      return part && (part->kind == "own mask" || part->kind == "alone");
    });
    if (!is_bound) {
      return;
    }
    std::erase_if(cpus, [&](int cpu) { return is_allowed(node, {cpu}); });
    if (!cpus.empty()) {
      add(Kind::kIdle, node.name, {}, cpus,
          processors(cpus) + (cpus.size() == 1 ? " is" : " are") +
              " idle: ranks may use only other processors of package " + std::to_string(package));
    }
  }

  bool is_allowed(const Node& node, const Cpus& cpus) const {
    return std::ranges::any_of(node.ranks, [&](int index) {
      const Rank& rank = job_.ranks[index];
      return !rank.allowed || std::ranges::any_of(cpus, [&](int cpu) {
        return std::ranges::binary_search(*rank.allowed, cpu);
      });
    });
  }

  void find_different(const char* what, std::string (*value_of)(const Rank& rank)) {
    std::map<std::string, Names> ranks_with;
    Names values;
    for (const Rank& rank : job_.ranks) {
      if (!differing_.contains(name_of(rank))) {
        const std::string value = value_of(rank);
        values.add(value);
        ranks_with[value].add(name_of(rank));
      }
    }
    if (values.all().size() < 2) {
      return;
    }
    const std::string usual = *std::ranges::max_element(
        values.all(), {}, [&](const std::string& value) { return ranks_with[value].all().size(); });
    const std::vector<std::string>& most = ranks_with[usual].all();
    const std::string others = "; " + in_words(most) + has(most) + usual;
    for (const std::string& value : values.all()) {
      if (value != usual) {
        const std::vector<std::string>& names = ranks_with[value].all();
        std::string text = in_words(names) + has(names) + what;
        text += value;
        text += others;
        add(Kind::kDiffers, "", names, {}, std::move(text));
        differing_.insert(names.begin(), names.end());
      }
    }
  }

  static const char* has(const std::vector<std::string>& names) {
    return names.size() == 1 ? " has " : " have ";
  }

  void find_missing() {
    constexpr int kMostNamed = 1 << 16;
    std::set<int> there;
    std::map<std::string, int> of;  // number of ranks of each node
    for (const Rank& rank : job_.ranks) {
      there.insert(number_of(rank));
      of[rank.node] = std::max(of[rank.node], rank.part ? rank.part->of : 0);
    }
    there.erase(-1);
    const long told = std::accumulate(of.begin(), of.end(), 0L,
                                      [](long sum, const auto& node) { return sum + node.second; });
    const long most = std::max(told, there.empty() ? 0L : *there.rbegin() + 1L);
    const int end = there.empty() ? 0 : static_cast<int>(std::min<long>(most, kMostNamed));
    Cpus missing;
    for (int number = 0; number < end; ++number) {
      if (!there.contains(number)) {
        missing.push_back(number);
      }
    }
    if (!missing.empty()) {
      std::vector<std::string> names;
      std::ranges::transform(missing, std::back_inserter(names),
                             [](int number) { return std::to_string(number); });
      add(Kind::kMissing, "", names, {}, "no report of " + in_words(names) + kWhyMissing);
    }
  }

  // These ranks have no number in the job. Only the number of ranks on the node is known.
  void find_missing_by_hand(const Node& node) {
    int of = 0;
    std::set<int> there;
    for (const int index : node.ranks) {
      const Rank& rank = job_.ranks[index];
      if (number_of(rank) < 0 && rank.part && rank.part->of > 0) {
        of = std::max(of, rank.part->of);
        there.insert(rank.part->local);
      }
    }
    const long lacking = of - static_cast<long>(there.size());
    if (lacking > 0) {
      add(Kind::kMissing, node.name, {}, {},
          "no report of " + std::to_string(lacking) + " of its " +
              counted(static_cast<std::size_t>(of), "rank") + kWhyMissing);
    }
  }

  void find_twice() {
    std::map<std::string, std::string> processes;
    Names twice;
    for (const Rank& rank : job_.ranks) {
      if (rank.rank.empty()) {
        continue;
      }
      std::string& told = processes[rank.rank];
      if (!told.empty()) {
        twice.add(rank.rank);
      }
      told += (told.empty() ? "" : ", ") + std::to_string(rank.process) + " on " + rank.node;
    }
    for (const std::string& name : twice.all()) {
      add(Kind::kTwice, "", {name}, {},
          in_words({name}) + " has reports of several processes (" + processes[name] +
              "): files of several runs, or children of it");
    }
  }

  void find_twice_on(const Node& node) {
    std::map<std::pair<int, std::string>, Names> names;  // by number and source
    for (const int index : node.ranks) {
      const Rank& rank = job_.ranks[index];
      if (rank.part && rank.part->local >= 0) {
        names[{rank.part->local, rank.part->by}].add(name_of(rank));
      }
    }
    for (const auto& [told, ranks] : names) {
      const std::vector<std::string>& same = ranks.all();
      if (same.size() > 1) {
        add(Kind::kTwice, node.name, same, {},
            in_words(same) + " have the same number on the node, " + std::to_string(told.first) +
                ", by " + told.second);
      }
    }
  }

  const Job& job_;
  const std::vector<Node>& nodes_;
  std::vector<Finding> findings_;
  std::set<std::string> differing_;
};

}  // namespace

std::vector<Finding> findings_of(const Job& job, const std::vector<Node>& nodes) {
  return Finder(job, nodes).find();
}

bool overlaps(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings,
                             [](const Finding& finding) { return finding.kind == Kind::kOverlap; });
}

}  // namespace nestbind::job
