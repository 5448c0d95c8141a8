// SPDX-License-Identifier: BSD-3-Clause
// Texts of messages: safe on a terminal, quoted for a shell, and a word for a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// Returns the text with \xNN for each byte that is not safe on a terminal. Unsafe bytes are those
// of control characters, separators, direction marks and invalid UTF-8.
std::string printable(std::string_view text);

// Quotes a text, so that every POSIX shell reads it as one word.
// shell: sh, csh or fish.
std::string shell_quoted(std::string_view text, std::string_view shell = "sh");

std::string shell_word(std::string_view text);

// Returns the most similar word by optimal string alignment. For a word of another tool ("socket"),
// returns nestbind's word ("package"). Empty if more than a third of the letters must change.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// Returns "; did you mean WORD?", or an empty text if no word is similar.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
