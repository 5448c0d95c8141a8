// SPDX-License-Identifier: BSD-3-Clause
// Finds the word that the user probably meant by a misspelt word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// Returns the most similar word by optimal string alignment. For a word of another tool ("socket"),
// returns nestbind's word ("package"). Empty if more than a third of the letters must change.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// Returns "; did you mean WORD?", or an empty text if no word is similar.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
