// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "machine/numbers.hpp"
#include "probe/probe_found.hpp"
#include "topology/interconnect.hpp"

namespace nestbind::probe {

namespace {

using Matrix = std::vector<std::vector<int>>;

Pattern by_twos(std::string name, const std::vector<int>& cores) {
  Pattern pattern{.name = std::move(name), .pairs = {}};
  for (std::size_t i = 0; i + 1 < cores.size(); i += 2) {
    pattern.pairs.push_back({cores[i], cores[i + 1]});
  }
  return pattern;
}

// Only nearest nodes have links. If there are no links between two parts of the machine, nodes have
// no partners in the other part.
Matrix hops_between(const std::vector<NodeSubject>& nodes,
                    const std::vector<std::vector<unsigned>>& distance) {
  machine::NumaNodes of_nodes;
  const int count = static_cast<int>(nodes.size());
  for (int node = 0; node < count; ++node) {
    of_nodes.numbers.push_back(node);
  }
  for (std::size_t from = 0; from < nodes.size() && !distance.empty(); ++from) {
    auto& row = of_nodes.distance.emplace_back();
    for (const NodeSubject& to : nodes) {
      row.push_back(
          distance[static_cast<std::size_t>(nodes[from].row)][static_cast<std::size_t>(to.row)]);
    }
  }
  const topology::Interconnect interconnect(of_nodes, topology::Parts::kApart);
  Matrix hops(nodes.size());
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      hops[static_cast<std::size_t>(from)].push_back(interconnect.hops(from, to));
    }
  }
  return hops;
}

std::vector<std::pair<std::size_t, std::size_t>> partners(const Matrix& hops, int wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> best;
  // A greedy search begins at each node in turn.
  for (std::size_t begin = 0; begin < hops.size(); ++begin) {
    std::vector<bool> is_taken(hops.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t step = 0; step < hops.size(); ++step) {
      const std::size_t a = (begin + step) % hops.size();
      for (std::size_t away = 1; away < hops.size() && !is_taken[a]; ++away) {
        const std::size_t b = (a + away) % hops.size();
        if (!is_taken[b] && hops[a][b] == wanted) {
          is_taken[a] = is_taken[b] = true;
          found.emplace_back(a, b);
        }
      }
    }
    if (found.size() > best.size()) {
      best = std::move(found);
    }
  }
  return best;
}

// near: pairs of neighbours in topology order. random: pairs in a shuffled order. n hops: pairs of
// nodes at this distance (topology/interconnect.hpp). Leaves out nodes without a partner, and
// patterns with fewer than two pairs. cores: a processor of each core, in topology order. distance:
// indexed by NodeSubject::row.
std::vector<Pattern> patterns_of(const std::vector<int>& cores,
                                 const std::vector<NodeSubject>& nodes,
                                 const std::vector<std::vector<unsigned>>& distance,
                                 std::uint64_t seed) {
  std::vector<Pattern> patterns{by_twos("near", cores)};
  std::vector<int> shuffled = cores;
  std::mt19937_64 random(seed);
  std::ranges::shuffle(shuffled, random);
  patterns.push_back(by_twos("random", shuffled));

  const Matrix hops = hops_between(nodes, distance);
  int most = 0;
  for (const auto& row : hops) {
    most = std::max(most, *std::ranges::max_element(row));
  }
  for (int wanted = 1; wanted <= most; ++wanted) {
    Pattern pattern{.name = std::to_string(wanted) + (wanted == 1 ? " hop" : " hops"), .pairs = {}};
    for (const auto& [a, b] : partners(hops, wanted)) {
      const std::size_t each = std::min(nodes[a].processors.size(), nodes[b].processors.size());
      for (std::size_t i = 0; i < each; ++i) {
        pattern.pairs.push_back({nodes[a].processors[i], nodes[b].processors[i]});
      }
    }
    patterns.push_back(std::move(pattern));
  }
  std::erase_if(patterns, [](const Pattern& pattern) { return pattern.pairs.size() < 2; });
  return patterns;
}

using machine::Hardware;
using machine::Object;

constexpr std::size_t kRepresentatives = 3;
constexpr std::size_t kManyNodes = 8;  // 8 nodes have 28 pairs

struct Processor {
  int cpu = 0;    // -1 if not allowed
  int node = -1;  // index in Survey::nodes
  bool is_first = false;
  std::vector<int> around{};  // the objects around it, from the machine down
};

void note_objects(const Hardware& hardware, int index, std::vector<int>& path,
                  std::vector<Processor>& processors) {
  const Object& object = hardware.objects[static_cast<std::size_t>(index)];
  path.push_back(index);
  bool has_first = false;
  for (int p = object.begin; p < object.end && object.children.empty(); ++p) {
    const auto at = static_cast<std::size_t>(p);
    processors[at].cpu = hardware.is_allowed[at] ? hardware.cpus[at] : -1;
    processors[at].is_first = hardware.is_allowed[at] && !has_first;
    processors[at].around = path;
    has_first = has_first || hardware.is_allowed[at];
  }
  for (const int child : object.children) {
    note_objects(hardware, child, path, processors);
  }
  path.pop_back();
}

NodeSubject node_of_row(const Hardware& hardware, std::size_t row,
                        const std::vector<Processor>& processors) {
  const int logical = static_cast<int>(row);
  NodeSubject node{.row = logical, .number = machine::numa_number(hardware, logical)};
  for (const int p : hardware.numa_processors[row]) {
    const Processor& processor = processors[static_cast<std::size_t>(p)];
    if (processor.is_first) {
      node.processors.push_back(processor.cpu);
    }
  }
  return node;
}

std::vector<NodeSubject> nodes_of(const Hardware& hardware, std::vector<Processor>& processors) {
  std::vector<NodeSubject> nodes;
  for (std::size_t row = 0; row < hardware.numa_processors.size(); ++row) {
    const auto& own = hardware.numa_processors[row];
    const bool is_free = std::ranges::all_of(
        own, [&](int p) { return processors[static_cast<std::size_t>(p)].node < 0; });
    NodeSubject node = node_of_row(hardware, row, processors);
    if (!is_free || node.processors.empty()) {
      continue;
    }
    for (const int p : own) {
      processors[static_cast<std::size_t>(p)].node = static_cast<int>(nodes.size());
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

const Object& common_object(const Hardware& hardware, const Processor& a, const Processor& b) {
  std::size_t depth = 0;
  while (depth + 1 < std::min(a.around.size(), b.around.size()) &&
         a.around[depth + 1] == b.around[depth + 1]) {
    ++depth;
  }
  return hardware.objects[static_cast<std::size_t>(a.around[depth])];
}

// In the order of Type.
constexpr const char* kNames[] = {"same machine",  "same group", "same package", "same die",
                                  "same L1",       "same L2",    "same L3",      "same L4 or L5",
                                  "same L4 or L5", "same core"};

// Kinds are sorted by key: the nearest in the tree is first.
using Key = std::tuple<bool, int, int, int>;

class Kinds {
 public:
  Kinds(const Hardware& hardware, const std::vector<NodeSubject>& nodes, const Wanted& wanted)
      : hardware_(hardware), nodes_(nodes), wanted_(wanted), random_(wanted.seed) {}

  Key add(const Processor& a, const Processor& b) {
    const Object& common = common_object(hardware_, a, b);
    Key key{false, -common.level, 0, 0};
    std::string name = kNames[static_cast<int>(common.type)];
    if (a.node != b.node && a.node >= 0 && b.node >= 0) {
      const auto [one, other] = std::minmax(a.node, b.node);
      if (nodes_.size() <= kManyNodes) {
        key = {true, 0, one, other};
        name =
            "nodes " + std::to_string(number_of(one)) + " and " + std::to_string(number_of(other));
      } else if (!hardware_.numa_distance.empty()) {
        const int distance = distance_of(one, other);
        key = {true, 0, distance, 0};
        name = "nodes at distance " + std::to_string(distance);
      } else {
        key = {true, -common.level, 0, 0};
        name += ", two nodes";
      }
    }
    Kind& kind = kinds_[key];
    kind.name = std::move(name);
    keep(kind, {a.cpu, b.cpu});
    return key;
  }

  const std::map<Key, Kind>& all() const { return kinds_; }

 private:
  int number_of(int node) const { return nodes_[static_cast<std::size_t>(node)].number; }
  int row_of(int node) const { return nodes_[static_cast<std::size_t>(node)].row; }

  int distance_of(int one, int other) const {
    return static_cast<int>(hardware_.numa_distance[static_cast<std::size_t>(row_of(one))]
                                                   [static_cast<std::size_t>(row_of(other))]);
  }

  // Keeps pairs by reservoir sampling: each pair is kept with the same probability.
  void keep(Kind& kind, const Pair& pair) {
    ++kind.all;
    if (wanted_.full || kind.pairs.size() < kRepresentatives) {
      kind.pairs.push_back(pair);
      return;
    }
    std::uniform_int_distribution<int> any(0, kind.all - 1);
    const auto place = static_cast<std::size_t>(any(random_));
    if (place < kRepresentatives) {
      kind.pairs[place] = pair;
    }
  }

  const Hardware& hardware_;
  const std::vector<NodeSubject>& nodes_;
  const Wanted& wanted_;
  std::mt19937_64 random_;
  std::map<Key, Kind> kinds_;
};

void add_kinds(Survey& survey, const Hardware& hardware, const std::vector<Processor>& processors,
               const Wanted& wanted) {
  Kinds kinds(hardware, survey.nodes, wanted);
  std::vector<Key> keys;
  for (std::size_t a = 0; a < processors.size(); ++a) {
    for (std::size_t b = a + 1; b < processors.size() && processors[a].is_first; ++b) {
      const bool are_in_core = processors[a].around == processors[b].around;
      // A pair of two cores consists of the first hardware thread of each core.
      if (processors[b].is_first) {
        keys.push_back(kinds.add(processors[a], processors[b]));
      } else if (are_in_core && b == a + 1) {
        kinds.add(processors[a], processors[b]);
      }
    }
  }
  std::map<Key, int> number_of;
  for (const auto& [key, kind] : kinds.all()) {
    number_of[key] = static_cast<int>(survey.kinds.size());
    survey.kinds.push_back(kind);
  }
  const std::size_t cores = survey.cores.size();
  survey.kind_of.assign(cores, std::vector<int>(cores, -1));
  auto key = keys.begin();
  for (std::size_t a = 0; a < cores; ++a) {
    for (std::size_t b = a + 1; b < cores; ++b) {
      survey.kind_of[a][b] = survey.kind_of[b][a] = number_of[*key++];
    }
  }
}

}  // namespace

Survey plan_survey(const Hardware& hardware, const Wanted& wanted) {
  std::vector<Processor> processors(hardware.cpus.size());
  std::vector<int> path;
  note_objects(hardware, 0, path, processors);
  Survey survey;
  survey.nodes = nodes_of(hardware, processors);
  std::erase_if(processors, [](const Processor& processor) { return processor.cpu < 0; });
  for (const Processor& processor : processors) {
    if (processor.is_first) {
      survey.cores.push_back(processor.cpu);
    }
  }
  add_kinds(survey, hardware, processors, wanted);
  survey.patterns = patterns_of(survey.cores, survey.nodes, hardware.numa_distance, wanted.seed);
  return survey;
}

}  // namespace nestbind::probe
