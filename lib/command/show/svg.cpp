// SPDX-License-Identifier: BSD-3-Clause
// Draws a scene with rectangles.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "show/picture/scene.hpp"
#include "show/planned.hpp"
#include "support/decimal.hpp"

namespace nestbind::show {

namespace {

using picture::Field;
using picture::Frame;
using picture::Tile;

constexpr int kColumn = 9;  // pixels
constexpr int kRow = 24;
constexpr int kBaseline = 17;
constexpr int kMargin = 24;
constexpr int kPanelGap = 36;
constexpr int kRound = 10;  // the corners of slow cores

struct Panel {
  std::string spec;
  std::vector<Line> heading;
  picture::Drawing drawing;
  int columns() const {
    return std::max({drawing.scene.columns, static_cast<int>(spec.size()) + 2, width_of(heading),
                     width_of(drawing.legend)});
  }
};

std::string plain(const Line& line) {
  std::string text;
  for (const Span& span : line) {
    text += span.text;
  }
  return text;
}

struct Rule {
  const char* selector;
  const char* property;
  const char* light;
  const char* dark;
};
constexpr Rule kRules[] = {
    {".ground", "fill", "#ffffff", "#15181e"},  {"text", "fill", "#1d2430", "#e6e9ee"},
    {".quiet", "fill", "#5a6472", "#9aa5b4"},   {".box", "stroke", "#8792a2", "#6b7787"},
    {".even", "fill", "#f1f4f8", "#1f242d"},    {".odd", "fill", "#e2e8f0", "#2a313c"},
    {".core", "fill", "#ffffff", "#15181e"},    {".core", "stroke", "#8792a2", "#6b7787"},
    {".nobody", "fill", "#ffffff", "#15181e"},  {".nobody", "stroke", "#a3adba", "#596473"},
    {".several", "fill", "#c9d1db", "#465160"},
};

std::string style() {
  std::string light;
  std::string dark;
  for (const Rule& rule : kRules) {
    light += fmt::format("{} {{ {}: {} }}\n", rule.selector, rule.property, rule.light);
    dark += fmt::format("  {} {{ {}: {} }}\n", rule.selector, rule.property, rule.dark);
  }
  std::string teams;
  for (int team = 0; team < kTeamColours; ++team) {
    const TeamColour& colour = colour_of(team);
    teams += fmt::format(".team{0} {{ fill: {1} }}\ntext.on{0} {{ fill: {2} }}\n", team,
                         colour.background_rgb, colour.text_rgb);
  }
  return "<style>\n"
         "text { font: 14px \"DejaVu Sans Mono\", Menlo, Consolas, monospace }\n"
         ".spec { font-size: 18px; font-weight: bold }\n"
         ".title { font-weight: bold }\n"
         ".nobody { stroke-dasharray: 3 3 }\n" +
         light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n" + teams + "</style>\n";
}

// (x, y) is the pixel of the panel's upper left corner.
class Writer {
 public:
  explicit Writer(std::string& text) : text_(text) {}

  void put_panel(const Panel& panel, int x, int y) {
    put_text(x, y + kBaseline, "spec", panel.spec);
    y += kRow + kRow / 4;
    y = put_lines(panel.heading, x, y) + kRow / 2;
    x_ = x;
    y_ = y;
    for (const Frame& frame : panel.drawing.scene.frames) {
      put_frame(frame);
    }
    for (const Tile& tile : panel.drawing.scene.tiles) {
      put_tile(tile);
    }
    for (const picture::Text& text : panel.drawing.scene.texts) {
      put_text(left(text.x), top(text.y) + kBaseline, "", plain(text.line));
    }
    put_lines(panel.drawing.legend, x, y + panel.drawing.scene.rows * kRow + kRow / 2);
  }

 private:
  int left(int column) const { return x_ + column * kColumn; }
  int top(int row) const { return y_ + row * kRow; }

  int put_lines(const std::vector<Line>& lines, int x, int y) {
    for (const Line& line : lines) {
      put_text(x, y + kBaseline, "quiet", plain(line));
      y += kRow;
    }
    return y;
  }

  void put_text(int x, int y, const std::string& kind, const std::string& words,
                const char* anchor = "") {
    text_ +=
        fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", x, y,
                    kind.empty() ? "" : fmt::format(" class=\"{}\"", kind), anchor, escaped(words));
  }

  void put_rectangle(int x, int y, int width, int height, const std::string& kind, int radius) {
    text_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" class=\"{}\"/>\n",
                    x, y, width, height, radius, kind);
  }

  void put_frame(const Frame& frame) {
    const int x = left(frame.x);
    const int y = top(frame.y);
    const int width = frame.columns * kColumn;
    const int height = frame.rows * kRow;
    put_rectangle(x + 1, y + 2, width - 2, height - 4,
                  frame.depth % 2 == 0 ? "box even" : "box odd", 6);
    put_text(x + 12, y + kBaseline + 2, "title", frame.title);
    if (!frame.foot.empty()) {
      put_text(x + width - 12, y + height - 9, "quiet", frame.foot, " text-anchor=\"end\"");
    }
  }

  void put_tile(const Tile& tile) {
    if (tile.has_brackets) {
      put_rectangle(left(tile.x) + 2, top(tile.y) + 2, tile.columns * kColumn - 4, kRow - 4, "core",
                    tile.is_slow ? kRound : 4);
    }
    for (const Field& field : tile.fields) {
      put_field(field, tile);
    }
  }

  void put_field(const Field& field, const Tile& tile) {
    const int wider = tile.has_brackets ? 2 : 4;
    const int x = left(field.x) - wider;
    const int width = field.columns * kColumn + 2 * wider;
    const int inset = tile.has_brackets ? 4 : 2;
    const std::string team = std::to_string(std::max(field.team, 0) % kTeamColours);
    const std::string kind = !field.is_taken  ? "nobody"
                             : field.team < 0 ? "several"
                                              : "team" + team;
    const std::string on = !field.is_taken ? "quiet" : field.team < 0 ? "" : "on" + team;
    put_rectangle(x, top(tile.y) + inset, width, kRow - 2 * inset, kind, tile.is_slow ? kRound : 3);
    put_text(x + width / 2, top(tile.y) + kBaseline, on, plain(field.names),
             " text-anchor=\"middle\"");
  }

  std::string& text_;
  int x_ = 0;
  int y_ = 0;
};

Panel panel_of(const Layout& layout, const Whole& whole, int columns) {
  constexpr int kRows = 36;
  const Canvas canvas{columns, kRows, false, true};
  Panel panel;
  panel.spec = layout.spec;
  panel.heading = heading_of(layout, {layout.summary}, columns);
  panel.drawing = picture::drawing_of(whole.hardware, whole.allowed, occupants_of(layout, whole),
                                      canvas, {"rimmed:", "round:"});
  return panel;
}

bool is_of_xml(std::uint32_t character) {
  return character >= 0x20 && character != 0x7F && character != 0xFFFE && character != 0xFFFF;
}

std::string escaped_character(std::uint32_t character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    default:
      return character < 0x80 ? std::string(1, static_cast<char>(character))
                              : fmt::format("&#x{:X};", character);
  }
}

}  // namespace

std::string escaped(const std::string& text) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    std::uint32_t character = 0;
    const std::size_t length = support::character_of(rest.data(), rest.size(), character);
    const bool is_shown = length > 0 && is_of_xml(character);
    result += escaped_character(is_shown ? character : kReplacement);
    rest.remove_prefix(is_shown ? length : 1);
  }
  return result;
}

std::string svg_of(const std::vector<Layout>& layouts, const Whole& whole) {
  constexpr int kColumnsOfOne = 120;
  constexpr int kColumnsOfSeveral = 60;
  std::vector<Panel> panels;
  std::string title;
  int width = 2 * kMargin - kPanelGap;
  int height = 0;
  for (const Layout& layout : layouts) {
    const Panel& panel = panels.emplace_back(
        panel_of(layout, whole, layouts.size() == 1 ? kColumnsOfOne : kColumnsOfSeveral));
    title += (title.empty() ? "" : " and ") + layout.spec;
    width += panel.columns() * kColumn + kPanelGap;
    const auto lines = static_cast<int>(panel.heading.size() + panel.drawing.legend.size());
    height = std::max(height,
                      2 * kMargin + (panel.drawing.scene.rows + lines + 1) * kRow + 5 * kRow / 4);
  }
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n",
      width, height, escaped(title + " on " + layouts[0].summary));
  text += style();
  text += fmt::format("<rect width=\"{}\" height=\"{}\" class=\"ground\"/>\n", width, height);
  Writer writer(text);
  int x = kMargin;
  for (const Panel& panel : panels) {
    writer.put_panel(panel, x, kMargin);
    x += panel.columns() * kColumn + kPanelGap;
  }
  return text + "</svg>\n";
}

}  // namespace nestbind::show
