// SPDX-License-Identifier: BSD-3-Clause
// The part of Fortran that is needed to find the ends of constructs and the places for
// declarations: statements and directives, independent of lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"
#include "instrument/opari/regions/region_places.hpp"

namespace nestbind::opari {

struct Item {
  bool is_directive = false;
  std::size_t first = 0;  // its lines
  std::size_t last = 0;
  // A directive: the text after "omp". A statement: lower case, with "@" instead of each literal,
  // without label and comments.
  std::string text;
  std::string label;
  bool shares_line = false;  // its last line also has the end of another statement

  std::string compact() const { return without_blanks(text); }
};

// width: of lines in fixed form.
std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width);

}  // namespace nestbind::opari
