// SPDX-License-Identifier: BSD-3-Clause
// Finds the word that the user probably meant by a misspelt word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The most similar word by optimal string alignment. For a word of another tool it is nestbind's
// word: "package" for "socket". Empty if more than a third of the letters would have to change.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// The text "; did you mean WORD?"; empty if no word is similar.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
