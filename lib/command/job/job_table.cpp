// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>
#include <utility>

#include "job/facts.hpp"
#include "job/job_findings.hpp"
#include "job/job_nodes.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::job {

namespace {

using show::Line;

std::string path_text(const Path& path) {
  std::string text;
  for (const int number : path) {
    text += (text.empty() ? "" : ".") + std::to_string(number);
  }
  return text;
}

std::string to_the_right(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

bool is_idle(const Group& group) {
  return std::ranges::all_of(group.processors,
                             [](const Processor& processor) { return processor.cells.empty(); });
}

class Table {
 public:
  Table(const Told& told, const show::Canvas& canvas, bool folds)
      : told_(told), dot_(canvas.is_utf8 ? "·" : "."), folds_(folds) {}

  std::vector<Line> draw() {
    add_heading();
    const std::vector<Node>& nodes = told_.nodes;
    for (std::size_t i = 0; i < nodes.size();) {
      add_node(nodes[i]);
      i = add_alike_nodes(i);
    }
    add_findings();
    return std::move(lines_);
  }

 private:
  void add(const std::string& text) { lines_.push_back({{text, -1}}); }

  const Rank& rank(int index) const { return told_.job.ranks[index]; }

  std::string cell_text(const Cell& cell) const {
    return name_of(rank(cell.rank)) + ":" + path_text(cell.path);
  }

  std::vector<std::string> names(const std::vector<int>& ranks) const {
    Names all;
    for (const int index : ranks) {
      all.add(name_of(rank(index)));
    }
    return all.all();
  }

  void add_heading() {
    std::set<std::string> specs;
    std::set<std::string> ranks;
    std::size_t threads = 0;
    for (const Rank& one : told_.job.ranks) {
      specs.insert(specs_of(one));
      ranks.insert(name_of(one));
      threads += one.threads.size();
    }
    add(counted(ranks.size(), "rank") + " on " + counted(told_.nodes.size(), "node") + ", " +
        counted(threads, "thread") + (specs.size() == 1 ? ": " + *specs.begin() : ""));
  }

  void add_node(const Node& node) {
    std::size_t threads = 0;
    for (const int index : node.ranks) {
      threads += rank(index).threads.size();
    }
    std::size_t all = 0;
    std::size_t busy = 0;
    std::size_t width = 1;
    bool has_siblings = false;
    for (const Group& group : node.groups) {
      for (std::size_t i = 0; i < group.processors.size(); ++i) {
        const Processor& processor = group.processors[i];
        ++all;
        busy += processor.cells.empty() ? 0 : 1;
        width = std::max(width, std::to_string(processor.cpu).size());
        has_siblings = has_siblings || (i > 0 && processor.core >= 0 &&
                                        processor.core == group.processors[i - 1].core);
      }
    }
    add("");
    add(node.name + ": " + in_words(names(node.ranks)) + "; " + counted(threads, "thread") +
        " on " + std::to_string(busy) + (node.has_machine ? " of " + std::to_string(all) : "") +
        (all == 1 || (busy == 1 && !node.has_machine) ? " processor" : " processors"));
    add_parts(node);
    add_devices(node);
    for (std::size_t i = 0; i < node.groups.size(); ++i) {
      const bool is_alike = folds_ && i > 0 && follows(node, i);
      is_alike ? add_alike_group(node.groups[i]) : add_group(node.groups[i], width, has_siblings);
    }
    for (const Wide& wide : node.wide) {
      add_wide(wide);
    }
  }

  void add_parts(const Node& node) {
    std::vector<std::pair<std::string, std::vector<int>>> kinds;
    for (const int index : node.ranks) {
      const std::optional<Part>& part = rank(index).part;
      if (!part || part->of == 1) {
        continue;
      }
      const auto found =
          std::ranges::find(kinds, part->kind, &std::pair<std::string, std::vector<int>>::first);
      (found == kinds.end() ? kinds.emplace_back(part->kind, std::vector<int>{}) : *found)
          .second.push_back(index);
    }
    for (const auto& [kind, ranks] : kinds) {
      add("  " + kind + ": " + in_words(names(ranks)));
    }
  }

  void add_devices(const Node& node) {
    for (const int index : node.ranks) {
      std::string list;
      for (const std::string& name : rank(index).devices) {
        list += (list.empty() ? "" : ", ") + name;
      }
      if (!list.empty()) {
        add("  devices of " + in_words(names({index})) + ": " + list);
      }
    }
  }

  bool follows(const Node& node, std::size_t i) const {
    return step_between(told_.job, node.groups[i - 1], node.groups[i]).has_value();
  }

  static std::string title(const Group& group) {
    std::string text = group.package < 0 ? "" : "package " + std::to_string(group.package);
    text += group.numa < 0 ? ""
                           : (text.empty() ? "" : ", ") + std::string("NUMA node ") +
                                 std::to_string(group.numa);
    return text.empty() ? "package not known" : text;
  }

  static Cpus cpus_of(const Group& group) {
    Cpus cpus;
    for (const Processor& processor : group.processors) {
      cpus.push_back(processor.cpu);
    }
    std::ranges::sort(cpus);
    return cpus;
  }

  void add_alike_group(const Group& group) {
    Line line{{"  " + title(group) + ": processors " + mask::list(cpus_of(group)), -1}};
    const Cell* first = nullptr;
    const Cell* last = nullptr;
    for (const Processor& processor : group.processors) {
      for (const Cell& cell : processor.cells) {
        first = first == nullptr ? &cell : first;
        last = &cell;
      }
    }
    if (first == nullptr) {
      line.push_back({", idle", -1});
    } else {
      line.push_back({", alike, ", -1});
      line.push_back({cell_text(*first), first->rank});
      if (*first != *last) {
        line.push_back({" to ", -1});
        line.push_back({cell_text(*last), last->rank});
      }
    }
    lines_.push_back(std::move(line));
  }

  void add_group(const Group& group, std::size_t width, bool has_siblings) {
    if (folds_ && is_idle(group)) {
      add_alike_group(group);
      return;
    }
    add("  " + title(group));
    for (std::size_t i = 0; i < group.processors.size();) {
      const std::size_t end = folds_ ? end_of_idle(group, i) : i;
      constexpr std::size_t kFewest = 3;
      if (end - i >= kFewest) {
        add(to_the_right(std::to_string(group.processors[i].cpu), width + 4) + " to " +
            std::to_string(group.processors[end - 1].cpu) + "  " + dot_);
        i = end;
      } else {
        add_processor(group.processors[i], width, has_siblings);
        ++i;
      }
    }
  }

  static std::size_t end_of_idle(const Group& group, std::size_t begin) {
    std::size_t end = begin;
    while (end < group.processors.size() && group.processors[end].cells.empty() &&
           group.processors[end].cpu - group.processors[begin].cpu ==
               static_cast<int>(end - begin)) {
      ++end;
    }
    return end;
  }

  void add_processor(const Processor& processor, std::size_t width, bool has_siblings) {
    Line line{{to_the_right(std::to_string(processor.cpu), width + 4), -1}};
    if (has_siblings) {
      line.push_back({processor.core < 0 ? "" : "  core " + std::to_string(processor.core), -1});
    }
    if (processor.cells.empty()) {
      line.push_back({"  " + std::string(dot_), -1});
    }
    std::set<std::string> ranks;
    for (const Cell& cell : processor.cells) {
      ranks.insert(name_of(rank(cell.rank)));
      line.push_back({"  ", -1});
      line.push_back({cell_text(cell), cell.rank});
    }
    if (ranks.size() > 1) {
      line.push_back({"  !", -1});
    }
    lines_.push_back(std::move(line));
  }

  void add_wide(const Wide& wide) {
    constexpr std::size_t kMostNamed = 8;
    Line line{
        {wide.cpus.empty() ? "  place not known:" : "  on " + mask::list(wide.cpus) + ":", -1}};
    const auto put = [&](const Path& path) {
      line.push_back({cell_text({wide.rank, path}), wide.rank});
    };
    if (wide.paths.size() > kMostNamed) {
      line.push_back({" ", -1});
      put(wide.paths.front());
      line.push_back({" to ", -1});
      put(wide.paths.back());
      line.push_back({", " + counted(wide.paths.size(), "thread"), -1});
    } else {
      for (const Path& path : wide.paths) {
        line.push_back({" ", -1});
        put(path);
      }
    }
    lines_.push_back(std::move(line));
  }

  // Returns the index of the first node after this line.
  std::size_t add_alike_nodes(std::size_t first) {
    const std::vector<Node>& nodes = told_.nodes;
    std::size_t end = first + 1;
    std::optional<int> step;
    while (folds_ && end < nodes.size()) {
      const std::optional<int> next = step_between(told_.job, nodes[end - 1], nodes[end]);
      if (!next || (step && *step != *next)) {
        break;
      }
      step = next;
      ++end;
    }
    const std::size_t count = end - first - 1;
    if (count > 0) {
      std::vector<int> ranks;
      for (std::size_t i = first + 1; i < end; ++i) {
        ranks.insert(ranks.end(), nodes[i].ranks.begin(), nodes[i].ranks.end());
      }
      add("");
      add(nodes[first + 1].name +
          (count == 1 ? "" : (count == 2 ? " and " : " to ") + nodes[end - 1].name) +
          (count > 2 ? " (" + std::to_string(count) + " nodes)" : "") + ": as " +
          nodes[first].name + ", " + in_words(names(ranks)));
    }
    return end;
  }

  void add_findings() {
    add("");
    if (told_.findings.empty()) {
      add("nothing is wrong: no two ranks share a processor, and all are alike");
    }
    for (const Finding& finding : told_.findings) {
      constexpr std::size_t kWidest = 8;
      std::string kind = kKinds[static_cast<int>(finding.kind)];
      kind.resize(kWidest, ' ');
      add(kind + (finding.node.empty() ? "" : finding.node + ": ") + finding.text);
    }
  }

  const Told& told_;
  const char* dot_;
  const bool folds_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Line> lines_of(const Told& told, const show::Canvas& canvas, bool all) {
  std::vector<Line> lines = Table(told, canvas, false).draw();
  return all || lines.size() <= kLongTable ? lines : Table(told, canvas, true).draw();
}

}  // namespace nestbind::job
