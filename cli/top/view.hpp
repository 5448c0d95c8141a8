// SPDX-License-Identifier: BSD-3-Clause
// The contents of the screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/top/rows.hpp"
#include "cli/top/top_table.hpp"
#include "cli/top/watched.hpp"
#include "machine/hardware.hpp"

namespace nestbind::cli::top {

struct View {
  Order order = Order::kShare;
  bool has_picture = true;
  bool has_table = true;
  bool has_help = false;
  bool wants_pages = false;
  int first = 0;
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

// code: a character, or a ScreenKey.
Key key_of(int code);

// `lines` is the number of lines below the title. `room` is the number of visible lines.
void apply(Key key, int lines, int room, View& view);

// If `hardware` is not set, shows no pictures.
std::vector<TextLine> lines_of(const std::vector<Block>& blocks, const View& view,
                               const std::optional<machine::Hardware>& hardware, const Size& size,
                               bool is_utf8);

// `said` is more text for the title.
std::vector<TextLine> screen_of(std::vector<TextLine> lines, View& view, const Size& size,
                                const std::string& said);

// The screen, its keys and its clock.

struct Shown {
  std::string module;
  double delay = 1;  // seconds between refreshes
  Order order = Order::kPath;
};

// Returns "", or why there is no screen. On SIGTERM or SIGHUP, restores the terminal, and then the
// signal ends the process.
std::string show_interactively(Watched& watched, const Host& host,
                               const std::optional<machine::Hardware>& hardware,
                               const Shown& shown);

}  // namespace nestbind::cli::top
