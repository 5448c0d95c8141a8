// SPDX-License-Identifier: BSD-3-Clause
#include "network/topology_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "network/host_list.hpp"

namespace nestbind::network {

namespace {

constexpr auto kNone = std::string_view::npos;

// A part of a line of the file.
struct Value {
  std::string_view text;
  std::size_t line = 0;
  std::size_t position = 0;
  Fault fault(std::string what, std::string expected, std::size_t further = 0) const {
    return {line, position + further, std::move(what), std::move(expected)};
  }
};

// Both forms have keys and values.
struct Entry {
  Value key;  // empty in an item of a list
  Value value;
  bool begins;  // the first in a line of topology.conf
};

enum class Key {
  kName,
  kNodes,
  kChildren,
  kSizes,
  kAggregate,
  kTopology,
  kDefault,
  kFlat,
  kIgnored
};

// The keys of both forms, in lower case. Slurm's own output has more keys than its file.
constexpr std::pair<const char*, Key> kKeys[] = {{"switchname", Key::kName},
                                                 {"blockname", Key::kName},
                                                 {"switch", Key::kName},
                                                 {"block", Key::kName},
                                                 {"nodes", Key::kNodes},
                                                 {"switches", Key::kChildren},
                                                 {"children", Key::kChildren},
                                                 {"blocksizes", Key::kSizes},
                                                 {"blocksize", Key::kSizes},
                                                 {"block_sizes", Key::kSizes},
                                                 {"topology", Key::kTopology},
                                                 {"cluster_default", Key::kDefault},
                                                 {"flat", Key::kFlat},
                                                 {"linkspeed", Key::kIgnored},
                                                 {"level", Key::kIgnored},
                                                 {"blockindex", Key::kIgnored},
                                                 {"tree", Key::kIgnored},
                                                 {"blocks", Key::kIgnored},
                                                 {"aggregatedblock", Key::kAggregate}};

// A switch or a block, as the file declares it.
struct Declared {
  Value name;
  Value nodes;
  Value children;
};

struct Topology {
  std::vector<Declared> all;
  std::vector<int> block_sizes;
  bool is_flat = false;
  bool is_default = false;
};

bool is_same(std::string_view text, const char* word) {
  const support::TextCursor cursor{text.data(), text.size()};
  return cursor.has_word(text.size(), word);
}

// KEY=VALUE, several in a line. A line that ends with a backslash goes on in the next one.
std::vector<Entry> words_of_conf(std::string_view text) {
  std::vector<Entry> words;
  bool begins = true;
  for (mapping::Lines lines(text); lines.next();) {
    bool is_continued = false;
    while (!lines.at_end() && !lines.cursor().is_at('#')) {
      const std::size_t at = lines.cursor().at;
      const std::string_view word = lines.take_word('#');
      is_continued = word == "\\";
      if (!is_continued) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::size_t from = std::min(equals + 1, word.size());
        words.push_back({{word.substr(0, equals), lines.number(), at},
                         {word.substr(from), lines.number(), at + from},
                         begins});
        begins = false;
      }
    }
    begins = begins || !is_continued;
  }
  return words;
}

// Lines "KEY: VALUE" and "- VALUE", in Slurm's block style.
std::vector<Entry> words_of_yaml(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<Entry> words;
  for (mapping::Lines lines(text); lines.next();) {
    std::string_view line = lines.line().substr(0, lines.line().find(" #"));
    line = line.substr(0, line.find_last_not_of(kBlank) + 1);
    const std::size_t begin = line.find_first_not_of(" \t-");
    if (begin == kNone || line[begin] == '#') {
      continue;
    }
    const std::size_t colon = line.find(':', begin);
    const std::size_t end = colon == kNone ? begin : colon;
    const std::size_t from = std::min(
        line.find_first_not_of(" \t\"'[", colon == kNone ? begin : colon + 1), line.size());
    std::string_view value = line.substr(from);
    value = value.substr(0, value.find_last_not_of("\"'") + 1);
    words.push_back({{line.substr(begin, end - begin), lines.number(), begin},
                     {value, lines.number(), from},
                     false});
  }
  return words;
}

// Adds the sizes that are not there yet.
bool read_sizes(const Value& value, std::vector<int>& sizes, Fault& fault) {
  mapping::Lines line(value.text);
  line.next();
  while (!line.at_end()) {
    int size = 0;
    if (!line.read_number(kMostHosts, size) || size < 1) {
      fault = value.fault("not a number of nodes", "numbers such as 18,36", line.cursor().at);
      return false;
    }
    if (std::ranges::find(sizes, size) == sizes.end()) {
      sizes.push_back(size);
    }
    while (line.cursor().is_at(',') || line.cursor().is_at(']')) {
      ++line.cursor().at;
    }
  }
  return true;
}

std::optional<Topology> read(const std::vector<Entry>& words, bool is_yaml, Fault& fault) {
  std::vector<Topology> all;
  Key key = Key::kIgnored;
  bool is_aggregate = false;  // a larger block, which follows from the sizes of blocks
  for (const Entry& word : words) {
    const auto* const found = std::ranges::find_if(
        kKeys, [&](const auto& known) { return is_same(word.key.text, known.first); });
    const bool is_item = is_yaml && word.key.text.empty() && key == Key::kSizes;
    if (found == std::end(kKeys) && !is_item) {
      fault = word.key.fault("not a word of Slurm's topology files",
                             is_yaml ? "topology, tree, switches, switch, children, nodes, block, "
                                       "block_sizes, blocks or flat"
                                     : "SwitchName, Switches, Nodes, LinkSpeed, BlockName or "
                                       "BlockSizes");
      return std::nullopt;
    }
    key = is_item ? key : found->second;
    if (key == Key::kTopology || all.empty()) {
      all.emplace_back();
    }
    std::vector<Declared>& declared = all.back().all;
    is_aggregate = key == Key::kAggregate || (is_aggregate && !word.begins);
    if (word.value.text.empty()) {
      if (!is_yaml) {
        fault = word.key.fault("no value", std::string(word.key.text) + "=VALUE");
        return std::nullopt;
      }
    } else if (key == Key::kName) {
      declared.push_back({word.value, {}, {}});
    } else if ((key == Key::kNodes || key == Key::kChildren) && !is_aggregate) {
      if (declared.empty() || word.begins) {
        fault = word.key.fault("no name of a switch", "the name of a switch or block before this");
        return std::nullopt;
      }
      (key == Key::kNodes ? declared.back().nodes : declared.back().children) = word.value;
    } else if (key == Key::kSizes && !read_sizes(word.value, all.back().block_sizes, fault)) {
      return std::nullopt;
    } else if (key == Key::kDefault || key == Key::kFlat) {
      (key == Key::kFlat ? all.back().is_flat : all.back().is_default) =
          is_same(word.value.text, "true");
    }
  }
  const auto chosen = std::ranges::find_if(all, &Topology::is_default);
  return all.empty() ? Topology{} : chosen == all.end() ? all.front() : *chosen;
}

// Which switch is above each switch and each node.
class Tree {
 public:
  Tree(const std::vector<Declared>& all, Fault& fault) : all_(all), fault_(fault) {}

  bool build() {
    for (const Declared& own : all_) {
      if (!number_.try_emplace(std::string(own.name.text), number_.size()).second) {
        fault_ = own.name.fault("this switch was declared before", "another name");
        return false;
      }
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool is_inner = all_[i].children.line != 0;
      const Value& value = is_inner ? all_[i].children : all_[i].nodes;
      if (value.line != 0 && !put_below(i, value, is_inner)) {
        return false;
      }
    }
    const auto looped = std::ranges::find_if(all_, [&](const Declared& own) {
      return own.children.line != 0 && path(number_.at(std::string(own.name.text))).empty();
    });
    if (looped != all_.end()) {
      fault_ = looped->children.fault("these switches are below themselves", "a tree");
    }
    return looped == all_.end();
  }

  std::optional<std::vector<std::vector<std::string>>> paths(
      const std::vector<int>& block_sizes, const std::vector<std::string>& nodes) const {
    std::vector<std::vector<std::string>> paths;
    for (const std::string& node : nodes) {
      const auto found = above_node_.find(node);
      if (found == above_node_.end()) {
        fault_ = {0, 0, "the network has no node " + node, ""};
        return std::nullopt;
      }
      paths.push_back(path(found->second));
      // Blocks are numbered in the order of the file; larger sizes join consecutive blocks.
      for (std::size_t size = 1; size < block_sizes.size(); ++size) {
        const std::size_t blocks = std::max(1, block_sizes[size] / block_sizes[0]);
        const std::size_t first = found->second / blocks * blocks;
        paths.back().insert(paths.back().begin(),
                            "blocks from " + std::string(all_[first].name.text));
      }
    }
    return paths;
  }

 private:
  bool put_below(std::size_t above, const Value& value, bool are_switches) {
    Fault inner;
    const auto names = parse_hosts(value.text, inner);
    if (!names) {
      fault_ = value.fault(inner.what, inner.expected, inner.position);
      return false;
    }
    for (const std::string& name : *names) {
      if (are_switches && !number_.contains(name)) {
        fault_ = value.fault("there is no switch " + name, "declared switches");
        return false;
      }
      const auto [found, is_new] =
          (are_switches ? above_switch_ : above_node_).emplace(name, above);
      if (!is_new) {
        fault_ =
            value.fault(name + " is below " + std::string(all_[found->second].name.text) + ", too",
                        "each node or switch below one switch or block");
        return false;
      }
    }
    return true;
  }

  // The names of a switch and those above it, the root first. Empty in a loop.
  std::vector<std::string> path(std::size_t at) const {
    std::vector<std::string> path;
    while (path.size() < all_.size()) {
      path.emplace(path.begin(), all_[at].name.text);
      const auto above = above_switch_.find(path.front());
      if (above == above_switch_.end()) {
        return path;
      }
      at = above->second;
    }
    return {};
  }

  using Numbers = std::map<std::string, std::size_t, std::less<>>;
  const std::vector<Declared>& all_;
  Fault& fault_;
  Numbers number_, above_switch_, above_node_;
};

}  // namespace

std::optional<Network> parse_topology(std::string_view text, const std::vector<std::string>& nodes,
                                      Fault& fault) {
  // A line of topology.conf has an equals sign, and one of topology.yaml a colon.
  const bool is_yaml = text.find('=') == kNone;
  const auto topology = read(is_yaml ? words_of_yaml(text) : words_of_conf(text), is_yaml, fault);
  if (!topology) {
    return std::nullopt;
  }
  if (topology->is_flat) {
    return Network::flat(static_cast<int>(nodes.size()));
  }
  if (topology->all.empty()) {
    fault = {1, 0, "no switch and no block in this file", "SwitchName=NAME Nodes=HOSTS"};
    return std::nullopt;
  }
  Tree tree(topology->all, fault);
  if (!tree.build()) {
    return std::nullopt;
  }
  const auto paths = tree.paths(topology->block_sizes, nodes);
  return paths ? std::optional(Network::tree(*paths)) : std::nullopt;
}

Network of_addresses(const std::vector<std::string>& addresses) {
  std::vector<std::vector<std::string>> paths;
  for (const std::string& address : addresses) {
    std::vector<std::string>& path = paths.emplace_back();
    std::size_t begin = 0;
    for (std::size_t dot = address.find('.'); dot != kNone; dot = address.find('.', begin)) {
      path.push_back(address.substr(begin, dot - begin));
      begin = dot + 1;
    }
  }
  return Network::tree(paths);
}

}  // namespace nestbind::network
