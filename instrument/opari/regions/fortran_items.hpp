// SPDX-License-Identifier: BSD-3-Clause
// Fortran's statements and directives, as far as ends of constructs and declarations need them.
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
  // A directive's text after "omp"; a statement in lower case, without label, "@" for literals.
  std::string text;
  std::string label;
  bool shares_line = false;  // its last line also has the end of another statement

  std::string compact() const { return without_blanks(text); }
};

// width: of lines in fixed form.
std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width);

}  // namespace nestbind::opari
