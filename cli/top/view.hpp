// SPDX-License-Identifier: BSD-3-Clause
// What is on the screen: pure, so that it can be tested without one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/top/top_table.hpp"
#include "machine/hardware.hpp"

namespace nestbind::cli::top {

// What the keys have chosen.
struct View {
  Order order = Order::kShare;
  bool has_picture = true;
  bool has_table = true;
  bool has_help = false;
  bool wants_pages = false;  // they are read at the next refresh that may do so
  int first = 0;             // the first line that is shown, of those below the title
};

struct Size {
  int rows = 24;
  int columns = 80;
};

enum class Key {
  kNone,
  kQuit,
  kSort,
  kPicture,
  kTable,
  kPages,
  kHelp,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kRefresh
};

// What a character stands for.
Key key_of(int character);

// What a key changes, on a screen with so many lines below the title, of which `room` are seen.
void apply(Key key, int lines, int room, View& view);

// All lines below the title. hardware: of this machine; none: no pictures.
std::vector<TextLine> lines_of(const std::vector<Block>& blocks, const View& view,
                               const std::optional<machine::Hardware>& hardware, const Size& size,
                               bool is_utf8);

// What is seen of them, with the title above: at most as many lines, and as wide, as the screen.
// said: what else the title says, such as why there are no pages.
std::vector<TextLine> screen_of(std::vector<TextLine> lines, View& view, const Size& size,
                                const std::string& said);

}  // namespace nestbind::cli::top
