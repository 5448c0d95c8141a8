// SPDX-License-Identifier: BSD-3-Clause
// Writes statements and directives in free or fixed form, in lines that are short enough.
#pragma once

#include <string>
#include <string_view>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

std::string statement_lines(std::string_view text, Language language);
std::string directive_lines(std::string_view text, Language language);
std::string literal(std::string_view text);

}  // namespace nestbind::opari
