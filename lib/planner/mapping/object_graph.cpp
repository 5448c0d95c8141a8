// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/object_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

namespace {

constexpr double kMostSum = 1e8;  // scaled weights add up to this

double factor_for(double sum) { return sum > 0 ? kMostSum / sum : 0; }

int whole(double number, double factor) {
  return std::max(1, static_cast<int>(std::lround(number * factor)));
}

bool holds(const ObjectGraph& graph) {
  const auto count = static_cast<int>(graph.load.size());
  return graph.parts > 0 && std::ranges::all_of(graph.load, [](int load) { return load > 0; }) &&
         std::ranges::all_of(graph.edges, [&](const Edge& edge) {
           return edge.a < edge.b && edge.b < count && edge.weight > 0;
         });
}

}  // namespace

ObjectGraph graph_of(const balance::Objects& objects, int parts) {
  ObjectGraph graph;
  graph.parts = parts;
  double loads = 0;
  for (int i = 0; i < objects.count; ++i) {
    loads += objects.load[i];
  }
  std::map<std::pair<int, int>, double> sums;
  double messages = 0;
  for (int i = 0; i < objects.count; ++i) {
    graph.load.push_back(whole(objects.load[i], factor_for(loads)));
    const int end = objects.first == nullptr ? 0 : objects.first[i + 1];
    for (int edge = objects.first == nullptr ? 0 : objects.first[i]; edge < end; ++edge) {
      const int other = objects.other[edge];
      const double sent = objects.messages == nullptr ? 1 : objects.messages[edge];
      if (other != i && sent > 0) {
        sums[{std::min(i, other), std::max(i, other)}] += sent;
        messages += sent;
      }
    }
  }
  for (const auto& [pair, sent] : sums) {
    graph.edges.push_back({pair.first, pair.second, whole(sent, factor_for(messages))});
  }
  return graph;
}

std::string print_graph(const ObjectGraph& graph) {
  std::string text = std::to_string(graph.parts) + " " + std::to_string(graph.load.size()) + " " +
                     std::to_string(graph.edges.size()) + "\n";
  for (const int load : graph.load) {
    text += std::to_string(load) + "\n";
  }
  for (const auto& [a, b, weight] : graph.edges) {
    text += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(weight) + "\n";
  }
  return text;
}

std::optional<ObjectGraph> parse_graph(std::string_view text) {
  constexpr std::size_t kSizes = 3;
  const auto numbers = whole_numbers(text);
  if (!numbers || numbers->size() < kSizes) {
    return std::nullopt;
  }
  const auto objects = static_cast<std::size_t>((*numbers)[1]);
  const auto edges = static_cast<std::size_t>((*numbers)[2]);
  if (numbers->size() != kSizes + objects + 3 * edges) {
    return std::nullopt;
  }
  const auto loads = numbers->begin() + kSizes;
  auto next = loads + static_cast<std::ptrdiff_t>(objects);
  ObjectGraph graph{(*numbers)[0], {loads, next}, {}};
  for (; next != numbers->end(); next += 3) {
    graph.edges.push_back({next[0], next[1], next[2]});
  }
  return holds(graph) ? std::optional(std::move(graph)) : std::nullopt;
}

std::optional<std::vector<int>> divide_plainly(const ObjectGraph& graph) {
  const std::size_t objects = graph.load.size();
  std::vector<int> parts(objects, 0);
  if (graph.parts == 1) {
    return parts;
  }
  if (static_cast<std::size_t>(graph.parts) < objects) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < objects; ++i) {
    parts[i] = static_cast<int>(i);
  }
  return parts;
}

}  // namespace nestbind::mapping
