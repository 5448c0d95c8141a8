// SPDX-License-Identifier: BSD-3-Clause
#include "network/topology_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "network/host_list.hpp"

namespace nestbind::network {

namespace {

// A part of a line of the file.
struct Value {
  std::string text;
  std::size_t line = 0;
  std::size_t position = 0;
  Fault fault(std::string what, std::string expected, std::size_t further = 0) const {
    return {line, position + further, std::move(what), std::move(expected)};
  }
};

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

bool read_sizes(const Value& value, std::vector<int>& sizes, Fault& fault) {
  mapping::Lines line(value.text);
  line.next();
  while (!line.at_end()) {
    int size = 0;
    if (!line.read_number(kMostHosts, size) || size < 1) {
      fault = value.fault("not a number of nodes", "numbers such as 18,36", line.cursor().at);
      return false;
    }
    sizes.push_back(size);
    while (line.cursor().is_at(',') || line.cursor().is_at(']')) {
      ++line.cursor().at;
    }
  }
  return true;
}

// Reads the words KEY=VALUE of a line of topology.conf. Slurm's own output has more keys.
bool read_words(const std::vector<Value>& words, Topology& topology, Fault& fault) {
  constexpr const char* kIgnored[] = {"linkspeed", "level", "blockindex", "blocksize"};
  Declared declared;
  for (const Value& word : words) {
    const std::size_t equals = word.text.find('=');
    const std::string key = word.text.substr(0, equals);
    const Value value{equals == std::string::npos ? "" : word.text.substr(equals + 1), word.line,
                      word.position + equals + 1};
    if (is_same(key, "switchname") || is_same(key, "blockname")) {
      declared.name = value;
    } else if (is_same(key, "nodes")) {
      declared.nodes = value;
    } else if (is_same(key, "switches")) {
      declared.children = value;
    } else if (is_same(key, "blocksizes")) {
      if (!read_sizes(value, topology.block_sizes, fault)) {
        return false;
      }
      continue;
    } else if (std::ranges::none_of(kIgnored,
                                    [&](const char* name) { return is_same(key, name); })) {
      fault = word.fault("not a word of topology.conf",
                         "SwitchName, Switches, Nodes, LinkSpeed, BlockName or BlockSizes");
      return false;
    }
    if (equals == std::string::npos || value.text.empty()) {
      fault = word.fault("no value", key + "=VALUE");
      return false;
    }
  }
  if (declared.name.line != 0) {
    topology.all.push_back(declared);
  } else if (declared.nodes.line != 0 || declared.children.line != 0) {
    fault = words[0].fault("no name of a switch", "SwitchName=NAME or BlockName=NAME");
    return false;
  }
  return true;
}

std::optional<Topology> read_conf(std::string_view text, Fault& fault) {
  Topology topology;
  std::vector<Value> words;
  bool is_continued = false;
  for (mapping::Lines lines(text); lines.next();) {
    if (!is_continued) {
      words.clear();
    }
    is_continued = false;
    while (!lines.at_end() && !lines.cursor().is_at('#')) {
      const std::size_t begin = lines.cursor().at;
      const std::string word(lines.take_word('#'));
      is_continued = word == "\\";
      if (!is_continued) {
        words.push_back({word, lines.number(), begin});
      }
    }
    if (!is_continued && !words.empty() && !read_words(words, topology, fault)) {
      return std::nullopt;
    }
  }
  return topology;
}

// The lines "KEY: VALUE" of topology.yaml, in Slurm's block style.
std::optional<Topology> read_yaml(std::string_view text, Fault& fault) {
  std::vector<Topology> all;
  bool is_in_sizes = false;
  for (mapping::Lines lines(text); lines.next();) {
    std::size_t end = std::min(lines.line().find(" #"), lines.line().size());
    while (end > 0 && support::is_blank(lines.line()[end - 1])) {
      --end;
    }
    std::size_t begin = 0;
    while (begin < end && (support::is_blank(lines.line()[begin]) || lines.line()[begin] == '-')) {
      ++begin;
    }
    const std::string_view line = lines.line().substr(begin, end - begin);
    if (line.empty() || line[0] == '#') {
      continue;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view key = line.substr(0, colon);
    std::size_t from = std::min(colon + 1, line.size());
    while (from < line.size() && support::is_blank(line[from])) {
      ++from;
    }
    std::size_t length = line.size() - from;
    if (length >= 2 && (line[from] == '"' || line[from] == '\'') && line.back() == line[from]) {
      ++from;
      length -= 2;
    }
    const Value value{std::string(line.substr(from, length)), lines.number(), begin + from};
    if (key == "topology" || all.empty()) {
      all.emplace_back();
    }
    Topology& topology = all.back();
    if (is_in_sizes && colon == line.size()) {
      if (!read_sizes({std::string(line), lines.number(), begin}, topology.block_sizes, fault)) {
        return std::nullopt;
      }
      continue;
    }
    is_in_sizes = key == "block_sizes";
    const bool is_true = is_same(value.text, "true");
    if (is_in_sizes) {
      const Value sizes{value.text.starts_with('[') ? value.text.substr(1) : value.text, value.line,
                        value.position};
      if (!read_sizes(sizes, topology.block_sizes, fault)) {
        return std::nullopt;
      }
    } else if (key == "switch" || (key == "block" && !value.text.empty())) {
      topology.all.push_back({value, {}, {}});
    } else if ((key == "nodes" || key == "children") && !topology.all.empty()) {
      (key == "nodes" ? topology.all.back().nodes : topology.all.back().children) = value;
    } else if (key == "cluster_default") {
      topology.is_default = is_true;
    } else if (key == "flat") {
      topology.is_flat = is_true;
    } else if (key != "topology" && key != "tree" && key != "switches" && key != "block" &&
               key != "blocks") {
      fault = {
          lines.number(), begin, "not a word of topology.yaml",
          "topology, tree, switches, switch, children, nodes, block, block_sizes, blocks or flat"};
      return std::nullopt;
    }
  }
  const auto chosen = std::ranges::find_if(all, &Topology::is_default);
  return all.empty() ? Topology{} : chosen == all.end() ? all.front() : *chosen;
}

class Tree {
 public:
  Tree(const Topology& topology, Fault& fault) : all_(topology.all), fault_(fault) {}

  bool build() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!numbers_.emplace(all_[i].name.text, static_cast<int>(i)).second) {
        fault_ = all_[i].name.fault("this switch was declared before", "another name");
        return false;
      }
    }
    above_.assign(all_.size(), kNone);
    return std::ranges::all_of(all_,
                               [&](const Declared& declared) {
                                 return declared.children.line != 0 ? adopt(declared)
                                                                    : seat(declared);
                               }) &&
           has_no_loop();
  }

  std::optional<std::vector<std::vector<std::string>>> paths(
      const Topology& topology, const std::vector<std::string>& nodes) {
    std::vector<std::vector<std::string>> paths;
    for (const std::string& node : nodes) {
      const auto found = leaf_.find(node);
      if (found == leaf_.end()) {
        fault_ = {0, 0, "the network has no node " + node, ""};
        return std::nullopt;
      }
      std::vector<std::string> path;
      for (int at = found->second; at != kNone; at = above_[at]) {
        path.insert(path.begin(), all_[at].name.text);
      }
      // Blocks are numbered in the order of the file; larger sizes join consecutive blocks.
      for (std::size_t size = 1; size < topology.block_sizes.size(); ++size) {
        const int blocks = std::max(1, topology.block_sizes[size] / topology.block_sizes[0]);
        const int first = found->second / blocks * blocks;
        path.insert(path.begin(), "blocks from " + all_[first].name.text);
      }
      paths.push_back(std::move(path));
    }
    return paths;
  }

 private:
  static constexpr int kNone = -1;

  std::optional<std::vector<std::string>> names_in(const Value& value) {
    Fault inner;
    auto names = parse_hosts(value.text, inner);
    if (!names) {
      fault_ = value.fault(inner.what, inner.expected, inner.position);
    }
    return names;
  }
  bool adopt(const Declared& declared) {
    const int own = numbers_.at(declared.name.text);
    const auto names = names_in(declared.children);
    for (const std::string& name : names ? *names : std::vector<std::string>()) {
      const auto child = numbers_.find(name);
      if (child == numbers_.end()) {
        fault_ = declared.children.fault("there is no switch " + name, "declared switches");
        return false;
      }
      if (above_[child->second] != kNone) {
        fault_ = declared.children.fault("the switch " + name + " is below two switches",
                                         "each switch once");
        return false;
      }
      above_[child->second] = own;
    }
    return names.has_value();
  }
  bool seat(const Declared& declared) {
    if (declared.nodes.line == 0) {
      return true;
    }
    const auto names = names_in(declared.nodes);
    for (const std::string& name : names ? *names : std::vector<std::string>()) {
      const auto [found, is_new] = leaf_.emplace(name, numbers_.at(declared.name.text));
      if (!is_new) {
        fault_ = declared.nodes.fault(
            "the node " + name + " is in " + all_[found->second].name.text + ", too",
            "each node in one switch or block");
        return false;
      }
    }
    return names.has_value();
  }
  bool has_no_loop() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      std::size_t steps = 0;
      for (int at = static_cast<int>(i); at != kNone; at = above_[at]) {
        if (++steps > all_.size()) {
          fault_ = all_[i].children.fault("these switches are below themselves", "a tree");
          return false;
        }
      }
    }
    return true;
  }

  const std::vector<Declared>& all_;
  Fault& fault_;
  std::map<std::string, int, std::less<>> numbers_;
  std::map<std::string, int, std::less<>> leaf_;
  std::vector<int> above_;
};

}  // namespace

std::optional<Network> parse_topology(std::string_view text, const std::vector<std::string>& nodes,
                                      Fault& fault) {
  // A line of topology.conf has an equals sign, and one of topology.yaml a colon.
  const bool is_yaml = text.find('=') == std::string_view::npos;
  const auto topology = is_yaml ? read_yaml(text, fault) : read_conf(text, fault);
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
  Tree tree(*topology, fault);
  if (!tree.build()) {
    return std::nullopt;
  }
  const auto paths = tree.paths(*topology, nodes);
  return paths ? std::optional(Network::tree(*paths)) : std::nullopt;
}

Network of_addresses(const std::vector<std::string>& addresses) {
  std::vector<std::vector<std::string>> paths;
  for (const std::string& address : addresses) {
    std::vector<std::string> path;
    std::size_t begin = 0;
    for (std::size_t dot = address.find('.'); dot != std::string::npos;
         dot = address.find('.', begin)) {
      path.push_back(address.substr(begin, dot - begin));
      begin = dot + 1;
    }
    paths.push_back(std::move(path));
  }
  return Network::tree(paths);
}

}  // namespace nestbind::network
