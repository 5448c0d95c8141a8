// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace nestbind::network {

namespace {

struct Word {
  const char* text;
  Kind kind;
  char separator;
  std::size_t fewest, most;  // numbers
  const char* numbers;
};

constexpr long kMostLinks = 4 * kMostPositions;

constexpr Word kWords[] = {
    {"torus", Kind::kTorus, 'x', 1, kMostDimensions, "lengths such as torus:8x8x8"},
    {"mesh", Kind::kMesh, 'x', 1, kMostDimensions, "lengths such as mesh:8x8"},
    {"tree", Kind::kTree, ',', 1, kMostDimensions, "children from the top, such as tree:16,18"},
    {"dragonfly", Kind::kDragonfly, 'x', 3, 3, "dragonfly:GROUPSxROUTERSxNODES"}};

bool take_lengths(mapping::Lines& line, const Word& word, Form& form) {
  while (true) {
    int length = 0;
    if (!line.read_number(kMostPositions, length) || length < 1) {
      return false;
    }
    form.lengths.push_back(length);
    if (line.cursor().at_end()) {
      return form.lengths.size() >= word.fewest && form.lengths.size() <= word.most;
    }
    const char c = line.cursor().text[line.cursor().at];
    if (support::to_lower(c) != word.separator || form.lengths.size() == word.most) {
      return false;
    }
    ++line.cursor().at;
  }
}

// All routers of a group are connected, and all groups.
long links_of_dragonfly(const Form& form) {
  const long groups = form.lengths[0];
  const long routers = form.lengths[1];
  return groups * routers * routers + groups * groups;
}

}  // namespace

long Form::positions() const {
  long positions = 1;
  for (const int length : lengths) {
    positions = std::min(positions * length, kMostPositions + 1);
  }
  return positions;
}

bool is_form(std::string_view text) {
  mapping::Lines line(text.substr(0, text.find(':')));
  line.next();
  const support::TextCursor& cursor = line.cursor();
  return std::ranges::any_of(
      kWords, [&](const Word& word) { return cursor.has_word(cursor.size, word.text); });
}

std::optional<Form> parse_form(std::string_view text, Fault& fault) {
  mapping::Lines line(text);
  line.next();
  const std::size_t end = line.cursor().word_end();
  for (const Word& word : kWords) {
    if (!line.cursor().has_word(end, word.text)) {
      continue;
    }
    Form form{word.kind, {}};
    line.cursor().at = end;
    if (!line.cursor().is_at(':')) {
      fault = line.fault("no lengths", word.numbers);
      return std::nullopt;
    }
    ++line.cursor().at;
    if (!take_lengths(line, word, form)) {
      fault = line.fault("not the lengths of a network", word.numbers);
      return std::nullopt;
    }
    if (form.positions() > kMostPositions ||
        (word.kind == Kind::kDragonfly && links_of_dragonfly(form) > kMostLinks)) {
      fault = line.fault_at(end + 1, "too many positions",
                            "at most " + std::to_string(kMostPositions) + " of them");
      return std::nullopt;
    }
    return form;
  }
  fault = line.fault("no network", "none, slurm, a file, torus:, mesh:, tree: or dragonfly:");
  return std::nullopt;
}

Network::Network(Form form, std::vector<int> coordinates)
    : form_(std::move(form)), coordinates_(std::move(coordinates)) {
  nodes_ = static_cast<int>(coordinates_.size() / form_.lengths.size());
}

Network Network::flat(int nodes) {
  return tree(std::vector<std::vector<std::string>>(static_cast<std::size_t>(nodes)));
}

Network Network::regular(const Form& form, int nodes) {
  const std::size_t dims = form.lengths.size();
  std::vector<int> coordinates(static_cast<std::size_t>(nodes) * dims);
  for (int node = 0; node < nodes; ++node) {
    int rest = node;
    for (std::size_t d = dims; d-- > 0;) {
      coordinates[static_cast<std::size_t>(node) * dims + d] = rest % form.lengths[d];
      rest /= form.lengths[d];
    }
  }
  return regular(form, std::move(coordinates));
}

Network Network::regular(const Form& form, std::vector<int> coordinates) {
  const std::size_t dims = form.lengths.size();
  Network network(form, std::move(coordinates));
  if (form.kind != Kind::kTree) {
    return network;
  }
  std::vector<std::vector<std::string>> paths(static_cast<std::size_t>(network.nodes()));
  for (int node = 0; node < network.nodes(); ++node) {
    std::string name;
    for (std::size_t level = 0; level + 1 < dims; ++level) {
      name += (level == 0 ? "" : ".") + std::to_string(network.coordinates(node)[level]);
      paths[node].push_back(name);
    }
  }
  return tree(paths);
}

Network Network::tree(const std::vector<std::vector<std::string>>& paths) {
  std::size_t depth = 0;
  for (const auto& path : paths) {
    depth = std::max(depth, path.size());
  }
  // Coordinates: the number of the switch in the switch above, and of the node in its switch. Short
  // paths are filled above the node, so that nodes of one leaf switch are 1 hop apart.
  Network network({Kind::kTree, std::vector<int>(depth + 1, 1)}, {});
  network.nodes_ = static_cast<int>(paths.size());
  std::map<std::pair<int, std::string>, std::pair<int, int>> known;  // -> identity, number
  std::vector<int> children{0};
  const auto put = [&](std::size_t level, int number) {
    network.coordinates_.push_back(number);
    network.form_.lengths[level] = std::max(network.form_.lengths[level], number + 1);
  };
  for (const auto& path : paths) {
    int above = 0;
    for (std::size_t level = 0; level < depth; ++level) {
      const std::string name = level < path.size() ? path[level] : std::string();
      const auto [found, is_new] =
          known.try_emplace({above, name}, children.size(), children[above]);
      if (is_new) {
        ++children[above];
        children.push_back(0);
        network.switch_names_.push_back(path.empty() ? name
                                                     : path[std::min(level, path.size() - 1)]);
      }
      above = found->second.first;
      network.switches_.push_back(above - 1);
      put(level, found->second.second);
    }
    put(depth, children[above]++);
  }
  return network;
}

std::vector<std::string> Network::switches_above(int node) const {
  std::vector<std::string> names;
  for (std::size_t level = 1; level < form_.lengths.size() && form_.kind == Kind::kTree; ++level) {
    const std::string& name = switch_names_[switch_of(node, level)];
    if (names.empty() || names.back() != name) {  // short paths are filled with the last switch
      names.push_back(name);
    }
  }
  return names;
}

int Network::hops(int a, int b) const {
  if (a == b) {
    return 0;
  }
  const std::span<const int> from = coordinates(a);
  const std::span<const int> to = coordinates(b);
  if (form_.kind == Kind::kTree || form_.kind == Kind::kDragonfly) {
    const auto same = std::ranges::mismatch(from, to).in1 - from.begin();
    return std::max(1, static_cast<int>(static_cast<std::ptrdiff_t>(from.size()) - same));
  }
  int hops = 0;
  for (std::size_t d = 0; d < from.size(); ++d) {
    const int straight = std::abs(from[d] - to[d]);
    hops += form_.kind == Kind::kTorus ? std::min(straight, form_.lengths[d] - straight) : straight;
  }
  return hops;
}

int Network::links() const {
  const std::vector<int>& lengths = form_.lengths;
  switch (form_.kind) {
    case Kind::kTree:
      return 2 * static_cast<int>(switch_names_.size());
    case Kind::kDragonfly:
      return static_cast<int>(links_of_dragonfly(form_));
    default:
      return static_cast<int>(form_.positions()) * static_cast<int>(lengths.size()) * 2;
  }
}

void Network::for_each_link(int a, int b, const Use& use) const {
  if (a == b) {
    return;
  }
  if (form_.kind == Kind::kDragonfly) {
    use_dragonfly_route(a, b, use);
  } else if (form_.kind != Kind::kTree) {
    use_torus_route(a, b, use);
  } else {
    for (std::size_t level = 1; level < form_.lengths.size(); ++level) {
      if (switch_of(a, level) != switch_of(b, level)) {
        use(2 * switch_of(a, level));
        use(2 * switch_of(b, level) + 1);
      }
    }
  }
}

long Network::position(std::span<const int> coordinates) const {
  long position = 0;
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    position = position * form_.lengths[d] + coordinates[d];
  }
  return position;
}

void Network::use_torus_route(int a, int b, const Use& use) const {
  const std::size_t dims = form_.lengths.size();
  std::vector<int> at(coordinates(a).begin(), coordinates(a).end());
  const std::span<const int> to = coordinates(b);
  for (std::size_t d = 0; d < dims; ++d) {
    const int length = form_.lengths[d];
    const int ahead = (to[d] - at[d] + length) % length;
    const bool is_positive = form_.kind == Kind::kTorus ? 2 * ahead <= length : to[d] > at[d];
    while (at[d] != to[d]) {
      const long dimension = position(at) * static_cast<long>(dims) + static_cast<long>(d);
      use(static_cast<int>(2 * dimension + (is_positive ? 0 : 1)));
      at[d] = (at[d] + (is_positive ? 1 : length - 1)) % length;
    }
  }
}

void Network::use_dragonfly_route(int a, int b, const Use& use) const {
  const int groups = form_.lengths[0];
  const int routers = form_.lengths[1];
  const std::span<const int> from = coordinates(a);
  const std::span<const int> to = coordinates(b);
  const auto inside = [&](int group, int one, int other) {
    if (one != other) {
      use((group * routers + one) * routers + other);
    }
  };
  if (from[0] == to[0]) {
    inside(from[0], from[1], to[1]);
    return;
  }
  // The router of a group that has the link to another group.
  const auto gate = [&](int group, int other) {
    return (other - group - 1 + groups) % groups % routers;
  };
  inside(from[0], from[1], gate(from[0], to[0]));
  use(groups * routers * routers + from[0] * groups + to[0]);
  inside(to[0], gate(to[0], from[0]), to[1]);
}

std::string Network::link_name(int link) const {
  const std::vector<int>& lengths = form_.lengths;
  if (form_.kind == Kind::kTree) {
    return "switch " + switch_names_[link / 2] + (link % 2 == 0 ? ", upwards" : ", downwards");
  }
  if (form_.kind == Kind::kDragonfly) {
    const int local = lengths[0] * lengths[1] * lengths[1];
    if (link >= local) {
      return "group " + std::to_string((link - local) / lengths[0]) + " to group " +
             std::to_string((link - local) % lengths[0]);
    }
    const int pair = link % (lengths[1] * lengths[1]);
    return "group " + std::to_string(link / (lengths[1] * lengths[1])) + ", router " +
           std::to_string(pair / lengths[1]) + " to router " + std::to_string(pair % lengths[1]);
  }
  const int dims = static_cast<int>(lengths.size());
  int position = link / 2 / dims;
  std::string where;
  for (std::size_t d = lengths.size(); d-- > 0; position /= lengths[d]) {
    where.insert(0, std::to_string(position % lengths[d]) + (where.empty() ? "" : ","));
  }
  return "position " + where + ", dimension " + std::to_string(link / 2 % dims) +
         (link % 2 == 0 ? " upwards" : " downwards");
}

std::optional<Network> place_nodes(const Form& form, const std::vector<std::string>& names,
                                   std::string_view text, Fault& fault) {
  std::map<std::string, std::size_t, std::less<>> wanted;
  for (std::size_t i = 0; i < names.size(); ++i) {
    wanted.emplace(names[i], i);
  }
  const std::size_t dims = form.lengths.size();
  std::vector<int> coordinates(names.size() * dims, -1);
  std::map<std::vector<int>, std::string> taken;
  for (mapping::Lines lines(text); lines.next();) {
    if (lines.at_end() || lines.cursor().is_at('#')) {
      continue;
    }
    const std::size_t begin = lines.cursor().at;
    const std::string name(lines.take_word());
    std::vector<int> own;
    for (const int length : form.lengths) {
      lines.at_end();
      const std::size_t at = lines.cursor().at;
      int number = 0;
      if (!lines.read_number(length - 1, number)) {
        fault = lines.fault_at(at, "not a coordinate", "0 to " + std::to_string(length - 1));
        return std::nullopt;
      }
      own.push_back(number);
    }
    if (!lines.at_end() && !lines.cursor().is_at('#')) {
      fault = lines.fault("too many words in this line", std::to_string(dims) + " coordinates");
      return std::nullopt;
    }
    const auto [same, is_new] = taken.emplace(own, name);
    if (!is_new && same->second != name) {
      fault = lines.fault_at(begin, "the coordinates of " + same->second, "others for each node");
      return std::nullopt;
    }
    if (const auto found = wanted.find(name); found != wanted.end()) {
      std::ranges::copy(own,
                        coordinates.begin() + static_cast<std::ptrdiff_t>(found->second * dims));
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (coordinates[i * dims] < 0) {
      fault = {0, 0, "the node " + names[i] + " has no coordinates there", ""};
      return std::nullopt;
    }
  }
  return Network::regular(form, std::move(coordinates));
}

}  // namespace nestbind::network
