// SPDX-License-Identifier: BSD-3-Clause
// What a misspelt word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The word of a list that needs the fewest letters added, left out, replaced or exchanged with
// their neighbour (optimal string alignment), or the one that others call so. Empty where every
// word needs more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean WORD?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
