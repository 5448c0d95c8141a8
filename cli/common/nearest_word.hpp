// SPDX-License-Identifier: BSD-3-Clause
// Finds the word that a misspelt word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The nearest word by optimal string alignment, or the one that another tool's word stands for.
// Empty if every word needs changes to more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean WORD?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace nestbind::cli
