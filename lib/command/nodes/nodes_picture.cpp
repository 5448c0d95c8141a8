// SPDX-License-Identifier: BSD-3-Clause
#include "nodes/nodes_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "show/planned.hpp"

namespace nestbind::nodes {

namespace {

// Pixels.
constexpr int kMargin = 24;
constexpr int kBox = 116;
constexpr int kGap = 8;
constexpr int kLine = 20;
constexpr int kColumns = 8;  // node boxes in a row
constexpr int kMostMap = 480;
constexpr int kMostCell = 24;
constexpr std::size_t kLetters = 15;  // that fit into a box
constexpr int kLetter = 8;
constexpr int kTitleLetter = 10;
constexpr std::size_t kMostLines = 4;  // below the name in a box

constexpr char kStyle[] =
    "<style>\n"
    "text { font: 12px \"DejaVu Sans Mono\", Menlo, Consolas, monospace; fill: #1d2430 }\n"
    ".ground { fill: #ffffff } .title { font-size: 16px; font-weight: bold }\n"
    ".node { fill: #f1f4f8; stroke: #8792a2 } .switch { fill: #c9d1db }\n"
    ".map { fill: none; stroke: #8792a2 } .traffic { fill: #c0392b }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  text { fill: #e6e9ee } .ground { fill: #15181e } .node { fill: #1f242d }\n"
    "  .switch { fill: #465160 }\n}\n</style>\n";

std::string fitted(const std::string& text) {
  return text.size() <= kLetters ? text : text.substr(0, kLetters - 2) + "..";
}

// The position, and the list of ranks in lines that fit into a box.
std::vector<std::string> lines_of(const DrawnNode& node) {
  const std::string& ranks = node.ranks;
  std::vector<std::string> lines;
  if (!node.position.empty()) {
    lines.push_back(fitted("at " + node.position));
  }
  lines.emplace_back();
  for (std::size_t begin = 0; begin < ranks.size();) {
    const std::size_t end = std::min(ranks.find(',', begin), ranks.size() - 1) + 1;
    if (!lines.back().empty() && lines.back().size() + end - begin > kLetters) {
      if (lines.size() == kMostLines) {
        lines.back() = fitted(lines.back() + "..");
        break;
      }
      lines.emplace_back();
    }
    lines.back() += ranks.substr(begin, end - begin);
    begin = end;
  }
  return lines;
}

std::string label(int x, int y, const std::string& text, const char* kind = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, kind, show::escaped(text));
}

std::string rectangle(int x, int y, int width, int height, const std::string& rest) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", x, y, width,
                     height, rest);
}

class Drawing {
 public:
  Drawing(const std::vector<DrawnNode>& nodes, const std::vector<DrawnTraffic>& maps)
      : nodes_(nodes), maps_(maps) {}

  std::string draw(const std::string& title) {
    put(label(kMargin, y_ + kLine, title, " class=\"title\""),
        kMargin + static_cast<int>(title.size()) * kTitleLetter);
    y_ += 2 * kLine;
    for (std::size_t first = 0; first < nodes_.size();) {
      std::size_t end = first;
      // A row has nodes of one innermost switch, if nodes have switches.
      while (end < nodes_.size() && end - first < kColumns &&
             nodes_[end].switches == nodes_[first].switches) {
        ++end;
      }
      draw_row(first, end);
      first = end;
    }
    y_ += kLine;
    std::size_t widest = 0;
    for (const DrawnNode& node : nodes_) {
      widest = std::max(widest, fitted(node.name).size());
    }
    int x = kMargin;
    int below = y_;
    for (const DrawnTraffic& map : maps_) {
      x += static_cast<int>(widest) * kLetter;
      const int side = draw_map(map, x);
      below = std::max(below, y_ + kLine + side);
      x += std::max(side, static_cast<int>(map.title.size()) * kLetter) + 2 * kMargin;
    }
    width_ = std::max(width_, x);
    if (!maps_.empty()) {
      below += kLine;
      const std::string legend =
          "columns: the nodes in the order of the rows; stronger colour: more between the two "
          "nodes";
      put(label(kMargin, below, legend), kMargin + static_cast<int>(legend.size()) * kLetter);
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
               "height=\"{1}\">\n",
               width_, below + kMargin) +
           kStyle + "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n" + body_ +
           "</svg>\n";
  }

 private:
  void put(const std::string& text, int right) {
    body_ += text;
    width_ = std::max(width_, right + kMargin);
  }
  void draw_row(std::size_t first, std::size_t end) {
    const int width = static_cast<int>(end - first) * (kBox + kGap) - kGap;
    const std::vector<std::string>& above = nodes_[first].switches;
    for (std::size_t level = 0; level < above.size(); ++level) {
      if (first > 0 && level < nodes_[first - 1].switches.size() &&
          std::equal(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                     nodes_[first - 1].switches.begin())) {
        continue;  // this switch has its bar above an earlier row
      }
      const int x = kMargin + static_cast<int>(level) * kGap;
      put(rectangle(x, y_, width, kLine - 3, "class=\"switch\"") +
              label(x + kGap / 2, y_ + kLine - 7, above[level]),
          x + width);
      y_ += kLine;
    }
    std::size_t most = 0;
    for (std::size_t i = first; i < end; ++i) {
      most = std::max(most, lines_of(nodes_[i]).size());
    }
    const int height = static_cast<int>(most + 1) * kLine + 4;
    for (std::size_t i = first; i < end; ++i) {
      const int x = kMargin + static_cast<int>(i - first) * (kBox + kGap);
      int y = y_ + kLine - 4;
      std::string text = label(x + kGap / 2, y, fitted(nodes_[i].name)) + "<g><title>" +
                         show::escaped(nodes_[i].name + ": ranks " + nodes_[i].ranks) + "</title>";
      for (const std::string& line : lines_of(nodes_[i])) {
        y += kLine;
        text += label(x + kGap / 2, y, line);
      }
      put(rectangle(x, y_, kBox, height, "class=\"node\"") + text + "</g>\n", x + kBox);
    }
    y_ += height + kGap;
  }
  // Returns the length of the map's sides.
  int draw_map(const DrawnTraffic& map, int x) {
    const int count = static_cast<int>(nodes_.size());
    const int cell = std::clamp(kMostMap / std::max(count, 1), 1, kMostCell);
    double most = 0;
    for (const DrawnTraffic& other : maps_) {
      for (const auto& [pair, bytes] : other.traffic) {
        most = std::max(most, bytes);
      }
    }
    body_ += label(x, y_ + kLine - 7, map.title);
    body_ += rectangle(x, y_ + kLine, count * cell, count * cell, "class=\"map\"");
    for (int row = 0; row < count; row += (kLine + cell - 1) / cell) {
      const std::string name = fitted(nodes_[row].name);
      body_ += label(x - static_cast<int>(name.size()) * kLetter,
                     y_ + kLine + row * cell + cell / 2 + 4, name);
    }
    for (const auto& [pair, bytes] : map.traffic) {
      for (const auto& [row, column] : {pair, std::pair(pair.second, pair.first)}) {
        body_ += rectangle(x + column * cell, y_ + kLine + row * cell, cell, cell,
                           fmt::format("class=\"traffic\" fill-opacity=\"{:.2f}\"", bytes / most));
      }
    }
    return count * cell;
  }

  const std::vector<DrawnNode>& nodes_;
  const std::vector<DrawnTraffic>& maps_;
  std::string body_;
  int width_ = 0;
  int y_ = kMargin;
};

}  // namespace

std::string draw_nodes(const std::string& title, const std::vector<DrawnNode>& nodes,
                       const std::vector<DrawnTraffic>& maps) {
  return Drawing(nodes, maps).draw(title);
}

}  // namespace nestbind::nodes
