// SPDX-License-Identifier: BSD-3-Clause
// The part of C and C++ that is needed to find the end of a statement.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/c_tokens.hpp"

namespace nestbind::opari {

// The token after the statement that begins with token `first`. None: the text ends first.
std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first);

// The variables that nested loops assign to in their headings.
std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops);

}  // namespace nestbind::opari
