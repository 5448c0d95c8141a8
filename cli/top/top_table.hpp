// SPDX-License-Identifier: BSD-3-Clause
// Blocks as lines of a table, and as JSON. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/top/rows.hpp"

namespace nestbind::cli::top {

// What a part of a line is.
enum class Style { kPlain, kTitle, kHeading, kWarning, kFaint };

struct Part {
  std::string text;  // as a terminal may get it, of one column a character
  Style style = Style::kPlain;
  int team = -1;  // an outer team, whose colour it has; -1: none
  bool operator==(const Part&) const = default;
};
using TextLine = std::vector<Part>;

// The lines above the threads: what process it is, what it says, where its threads and pages are.
std::vector<TextLine> title_of(const Block& block);

// A line of headings, and one for each thread.
std::vector<TextLine> table_of(const Block& block);

std::string text_of(const std::vector<TextLine>& lines);

// {"processes": [{"process", "command", "ended", "published", "spec", "not_shown", "share",
//   "pages": {NODE: KIB} or null,
//   "threads": [{"thread", "name", "path", "planned", "slot", "bound", "pinned", "sharing",
//                "allowed", "processor", "node", "state", "share", "wandered"}]}]}
// on one line. What is not known is null; "path" to "sharing" and "wandered" are, where the process
// does not tell.
std::string json_of(const std::vector<Block>& blocks);

}  // namespace nestbind::cli::top
