// SPDX-License-Identifier: BSD-3-Clause
// C and C++ as far as needed to find where a statement ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/c_tokens.hpp"

namespace nestbind::opari {

// Where the statement that begins with a token ends: the token behind it. Null where the text ends
// first.
std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first);

// The variables that loops, one in the other, assign to in their headings.
std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops);

}  // namespace nestbind::opari
