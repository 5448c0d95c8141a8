// SPDX-License-Identifier: BSD-3-Clause
// Finds the word that a misspelt word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The word of the list with the smallest distance: letters added, removed, replaced or exchanged
// with a neighbour (optimal string alignment). A word of other tools with the same meaning counts
// as a match. Empty if every word needs changes to more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean WORD?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
