// SPDX-License-Identifier: BSD-3-Clause
// Shows processes as lines of a table, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/top/rows.hpp"

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
// {"processes": [{"process", "command", "ended", "published", "spec", "tree": {"number", "of"} or
// null,
//   "not_shown", "share",
//   "pages": {NODE: KIB} or null,
//   "threads": [{"thread", "name", "root", "path", "planned", "slot", "bound", "pinned", "sharing",
//                "allowed", "processor", "node", "state", "share", "wandered"}]}]}
// Unknown values are null. If a thread's place is not published, the values from "path" to
// "sharing" and the value "wandered" are null.
std::string json_of(const std::vector<Block>& blocks);

}  // namespace nestbind::cli::top
