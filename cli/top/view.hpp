// SPDX-License-Identifier: BSD-3-Clause
// Shows processes as lines of a table, as JSON, and on the screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/top/rows.hpp"
#include "cli/top/watched.hpp"
#include "machine/hardware.hpp"

namespace nestbind::cli::top {

enum class Style { kPlain, kTitle, kHeading, kWarning, kFaint };

struct Part {
  std::string text;  // safe for a terminal; each character takes one column
  Style style = Style::kPlain;
  int team = -1;  // the outermost team, which gives the colour; -1 if none
  bool operator==(const Part&) const = default;
};
using TextLine = std::vector<Part>;

std::vector<TextLine> title_of(const Block& block);

std::vector<TextLine> table_of(const Block& block);

std::string text_of(const std::vector<TextLine>& lines);

// One line:
// {"processes": [{"process", "command", "ended", "published", "spec",
//   "tree": {"number", "of"} or null, "not_shown", "share",
//   "pages": {NODE: KIB} or null,
//   "threads": [{"thread", "name", "root", "path", "planned", "slot", "bound", "pinned", "sharing",
//                "allowed", "processor", "node", "state", "share", "wandered"}]}]}
// Unknown values are null. If a thread's place is not published, the values from "path" to
// "sharing" and the value "wandered" are null.
std::string json_of(const std::vector<Block>& blocks);

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
