// SPDX-License-Identifier: BSD-3-Clause
#include "cli/top/view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/top/screen/screen_border.hpp"
#include "show/picture.hpp"

namespace nestbind::cli::top {

namespace {

constexpr const char* kHelp[] = {
    "q  quit                     s  sort by share, processor, thread, path",
    "p  picture on and off       t  table on and off",
    "n  pages by NUMA node: the kernel holds the process's memory map while it counts,",
    "   so they are read only on this key, and at most every 10 seconds",
    "arrows, page keys, Home     scroll",
    "blank  refresh now          h  this text on and off",
};

std::vector<show::Occupant> occupants_of(const Block& block) {
  std::vector<show::Occupant> occupants;
  for (const Row& row : block.rows) {
    if (row.is_placed && !row.planned.empty()) {
      std::vector<int> path = row.path;
      if (row.root >= 0) {
        path.insert(path.begin(), row.root);
      }
      occupants.push_back({.path = std::move(path),
                           .cpus = row.planned,
                           .mark = row.wandered == Wandered::kNo ? "" : "wandered"});
    }
  }
  return occupants;
}

void add_picture(const Block& block, const machine::Hardware& hardware, const Size& size,
                 bool is_utf8, std::vector<TextLine>& lines) {
  const auto occupants = occupants_of(block);
  if (occupants.empty()) {
    return;
  }
  const show::Canvas canvas{.columns = size.columns,
                            .rows = std::max(size.rows - 6, 10),
                            .has_colour = true,
                            .is_utf8 = is_utf8};
  const show::Picture picture = show::draw(hardware, std::nullopt, occupants, canvas);
  for (const auto* part : {&picture.lines, &picture.legend}) {
    for (const show::Line& spans : *part) {
      TextLine line;
      for (const show::Span& span : spans) {
        line.push_back({span.text, Style::kPlain, span.team});
      }
      lines.push_back(std::move(line));
    }
  }
}

bool is_inner_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::pair<std::string, int> cut(const std::string& text, int most) {
  int columns = 0;
  std::size_t end = 0;
  while (end < text.size() && columns < most) {
    ++columns;
    for (++end; end < text.size() && is_inner_byte(text[end]); ++end) {
    }
  }
  return {text.substr(0, end), columns};
}

TextLine cut(const TextLine& line, int columns) {
  TextLine left;
  for (const Part& part : line) {
    auto [text, used] = cut(part.text, columns);
    columns -= used;
    if (!text.empty()) {
      left.push_back({std::move(text), part.style, part.team});
    }
  }
  return left;
}

}  // namespace

Key key_of(int code) {
  constexpr struct {
    int code;
    Key key;
  } kKeys[] = {{'q', Key::kQuit},
               {'Q', Key::kQuit},
               {3, Key::kQuit},  // Ctrl-C, if the terminal sends it as a character
               {'s', Key::kSort},
               {'p', Key::kPicture},
               {'t', Key::kTable},
               {'n', Key::kPages},
               {'h', Key::kHelp},
               {'?', Key::kHelp},
               {'k', Key::kUp},
               {kKeyUp, Key::kUp},
               {'j', Key::kDown},
               {kKeyDown, Key::kDown},
               {kKeyPageUp, Key::kPageUp},
               {kKeyPageDown, Key::kPageDown},
               {kKeyHome, Key::kHome},
               {' ', Key::kRefresh}};
  for (const auto& [known, key] : kKeys) {
    if (known == code) {
      return key;
    }
  }
  return Key::kNone;
}

void apply(Key key, int lines, int room, View& view) {
  constexpr int kOrderCount = 4;
  if (key == Key::kSort) {
    view.order = static_cast<Order>((static_cast<int>(view.order) + 1) % kOrderCount);
  }
  view.has_picture ^= key == Key::kPicture;
  view.has_table ^= key == Key::kTable;
  view.has_help ^= key == Key::kHelp;
  view.wants_pages |= key == Key::kPages;
  view.first += key == Key::kUp         ? -1
                : key == Key::kDown     ? 1
                : key == Key::kPageUp   ? -room
                : key == Key::kPageDown ? room
                                        : 0;
  view.first = key == Key::kHome || key == Key::kHelp ? 0 : view.first;
  view.first = std::clamp(view.first, 0, std::max(lines - room, 0));
}

std::vector<TextLine> lines_of(const std::vector<Block>& blocks, const View& view,
                               const std::optional<machine::Hardware>& hardware, const Size& size,
                               bool is_utf8) {
  std::vector<TextLine> lines;
  if (view.has_help) {
    for (const char* line : kHelp) {
      lines.push_back({{line, Style::kPlain}});
    }
    lines.emplace_back();
  }
  if (blocks.empty()) {
    lines.push_back(
        {{"no program of yours publishes its places, and none runs with several threads"}});
  }
  for (const Block& block : blocks) {
    std::ranges::move(title_of(block), std::back_inserter(lines));
    if (view.has_picture && hardware && !block.has_ended) {
      add_picture(block, *hardware, size, is_utf8, lines);
    }
    if (view.has_table) {
      std::ranges::move(table_of(block), std::back_inserter(lines));
    }
    lines.emplace_back();
  }
  return lines;
}

std::vector<TextLine> screen_of(std::vector<TextLine> lines, View& view, const Size& size,
                                const std::string& said) {
  const int room = std::max(size.rows - 1, 0);
  const int count = static_cast<int>(lines.size());
  apply(Key::kNone, count, room, view);
  const int last = std::min(view.first + room, count);
  std::string title = fmt::format(" nestbind top  by {}", kOrders[static_cast<int>(view.order)]);
  title += room < count ? fmt::format("  {}-{} of {}", view.first + 1, last, count) : "";
  // A narrow screen has no room for the list of keys.
  title += "  " + (said.empty() ? "q quit  s sort  p picture  n pages  h help" : said + "  h help");
  title.resize(std::max(title.size(), static_cast<std::size_t>(std::max(size.columns, 0))), ' ');
  std::vector<TextLine> seen;
  if (size.rows > 0) {
    seen.push_back(cut({{std::move(title), Style::kHeading}}, size.columns));
  }
  for (int i = view.first; i < last; ++i) {
    seen.push_back(cut(lines[static_cast<std::size_t>(i)], size.columns));
  }
  return seen;
}

}  // namespace nestbind::cli::top
