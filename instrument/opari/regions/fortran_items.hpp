// SPDX-License-Identifier: BSD-3-Clause
// Fortran as far as needed to find where a construct ends and where declarations may stand:
// statements and directives, whatever lines they are written on.
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
  // A directive as it is written, behind "omp"; a statement in lower case, with "@" for each
  // literal text, without label and comments.
  std::string text;
  std::string label;
  bool shares_line = false;  // another statement ends on its last line

  std::string compact() const { return without_blanks(text); }
};

// width: of a line in fixed form.
std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width);

}  // namespace nestbind::opari
