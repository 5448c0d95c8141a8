// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "cli/probe/probe_forms.hpp"

namespace nestbind::cli::probe {

namespace {

using nestbind::probe::Found;

constexpr int kMargin = 24;  // pixels
constexpr int kTitle = 40;
constexpr int kLegend = 44;
constexpr int kMostOfMap = 640;
constexpr int kMostOfCell = 40;
constexpr int kLeastWidth = 420;
constexpr int kTextFits = 32;  // cells of at least this size in pixels show their number

struct Map {
  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<double>> ns;  // 0: not measured
};

Map map_of_cores(const Found& found) {
  Map map{.title = "Round trips between processors, ns", .names = {}, .ns = {}};
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < found.cores.size(); ++i) {
    place[found.cores[i]] = i;
    map.names.push_back(fmt::format("{}", found.cores[i]));
  }
  map.ns.assign(found.cores.size(), std::vector<double>(found.cores.size(), 0));
  for (std::size_t i = 0; i < found.cores.size(); ++i) {
    for (std::size_t j = 0; j < found.cores.size(); ++j) {
      const int kind = found.kind_of[i][j];
      map.ns[i][j] = kind < 0 ? 0 : found.kinds[static_cast<std::size_t>(kind)].ns;
    }
  }
  for (const auto& kind : found.kinds) {
    for (const auto& [pair, measured] : kind.pairs) {
      const auto first = place.find(pair.first);
      const auto second = place.find(pair.second);
      if (first != place.end() && second != place.end()) {
        map.ns[first->second][second->second] = map.ns[second->second][first->second] = measured.ns;
      }
    }
  }
  return map;
}

Map map_of_nodes(const Found& found) {
  Map map{.title = "Nanoseconds for a read by a node (row) from a node's memory (column)",
          .names = {},
          .ns = {}};
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    map.names.push_back(fmt::format("{}", found.nodes[i].number));
    auto& row = map.ns.emplace_back();
    for (const auto& node : found.matrix[i]) {
      row.push_back(node.ns);
    }
  }
  return map;
}

struct Scale {
  double least = 0;
  double most = 0;

  double of(double ns) const {
    return most > least ? std::log(ns / least) / std::log(most / least) : 0;
  }
};

Scale scale_of(const Map& map) {
  Scale scale;
  for (const auto& row : map.ns) {
    for (const double ns : row) {
      scale.least = ns > 0 && (scale.least <= 0 || ns < scale.least) ? ns : scale.least;
      scale.most = std::max(scale.most, ns);
    }
  }
  return scale;
}

// Returns a colour from light to dark.
std::string colour(double part) {
  constexpr std::array<std::array<double, 3>, 3> kStops = {
      {{255, 247, 236}, {252, 141, 89}, {127, 0, 0}}};
  const double at = std::clamp(part, 0.0, 1.0) * (kStops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    mixed[i] = static_cast<int>(std::lround(
        std::lerp(kStops[below][i], kStops[below + 1][i], at - static_cast<double>(below))));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

int cell_of(const Map& map) {
  const int count = std::max(1, static_cast<int>(map.names.size()));
  return std::clamp(kMostOfMap / count, 2, kMostOfCell);
}

std::string legend(const Scale& scale, int y) {
  constexpr int kSteps = 10;
  constexpr int kStep = 20;
  constexpr int kHeight = 10;
  std::string text;
  for (int i = 0; i < kSteps; ++i) {
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                        kMargin + i * kStep, y, kStep, kHeight,
                        colour(static_cast<double>(i) / (kSteps - 1)));
  }
  return text + fmt::format("<text x=\"{}\" y=\"{}\">{:.0f} to {:.0f} ns</text>\n",
                            kMargin + kSteps * kStep + kHeight, y + kHeight, scale.least,
                            scale.most);
}

std::string cell(const Map& map, const Scale& scale, std::size_t i, std::size_t j, int top) {
  constexpr double kDark = 0.6;
  const int size = cell_of(map);
  const double ns = map.ns[i][j];
  const int x = kMargin + size * (static_cast<int>(j) + 1);
  const int y = top + kTitle + size * static_cast<int>(i);
  if (ns <= 0) {
    return "";
  }
  std::string text = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} to {}: {:.1f} "
      "ns</title></rect>\n",
      x, y, size, size, colour(scale.of(ns)), map.names[i], map.names[j], ns);
  if (size >= kTextFits) {
    text += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\">{:.0f}</text>\n", x + size / 2,
        y + size / 2 + 4, scale.of(ns) > kDark ? "#ffffff" : "#1d2430", ns);
  }
  return text;
}

// Returns the row at which the map ends.
int draw(std::string& text, const Map& map, int top) {
  const Scale scale = scale_of(map);
  const int size = cell_of(map);
  const int rows = static_cast<int>(map.names.size());
  text += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", kMargin,
                      top + kMargin, map.title);
  for (std::size_t i = 0; i < map.names.size(); ++i) {
    constexpr int kReadable = 12;
    if (size >= kReadable) {
      text +=
          fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kMargin + size - 4,
                      top + kTitle + size * static_cast<int>(i) + size / 2 + 4, map.names[i]);
    }
    for (std::size_t j = 0; j < map.names.size(); ++j) {
      text += cell(map, scale, i, j, top);
    }
  }
  const int bottom = top + kTitle + size * rows;
  text += legend(scale, bottom + kMargin / 2);
  return bottom + kLegend;
}

}  // namespace

std::string picture_of(const Found& found) {
  std::string body;
  int bottom = 0;
  int width = kLeastWidth;
  std::vector<Map> maps;
  if (!found.kinds.empty()) {
    maps.push_back(map_of_cores(found));
  }
  if (found.nodes.size() > 1) {
    maps.push_back(map_of_nodes(found));
  }
  for (const Map& map : maps) {
    bottom = draw(body, map, bottom);
    width = std::max(width, 2 * kMargin + cell_of(map) * (static_cast<int>(map.names.size()) + 1));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#1d2430\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width, bottom + kMargin, body);
}

}  // namespace nestbind::cli::probe
