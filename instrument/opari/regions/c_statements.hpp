// SPDX-License-Identifier: BSD-3-Clause
// Finds the end of a statement in C and C++.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/c_tokens.hpp"

namespace nestbind::opari {

std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first);

// Returns the variables to which nested loops assign in their headings: "for (i = 0; ...)".
std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops);

}  // namespace nestbind::opari
