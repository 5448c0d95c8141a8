// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/nearest_word.hpp"

#include <algorithm>
#include <cstddef>

namespace nestbind::cli {

namespace {

// A user's words are short. Of a longer word only the beginning is compared.
constexpr std::size_t kMostLetters = 64;

// Words of OpenMP, launchers and other tools, and nestbind's word for each.
constexpr struct {
  std::string_view word;
  std::string_view ours;
} kNamesOfOthers[] = {{"node", "numa"},      {"socket", "package"}, {"sockets", "package"},
                      {"hwthread", "pu"},    {"thread", "pu"},      {"threads", "pu"},
                      {"spread", "scatter"}, {"close", "compact"}};

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
  word = word.substr(0, kMostLetters);
  for (const auto& [name, ours] : kNamesOfOthers) {
    const bool is_one = word == name && std::ranges::find(words, word) == words.end();
    if (is_one && std::ranges::find(words, ours) != words.end()) {
      return std::string(ours);
    }
  }
  std::string found;
  std::size_t fewest = 0;
  for (const std::string& candidate : words) {
    const std::size_t away = distance(word, candidate);
    const std::size_t letters = std::max(word.size(), candidate.size());
    if (3 * away <= letters && (found.empty() || away < fewest)) {
      found = candidate;
      fewest = away;
    }
  }
  return found;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  const std::string found = nearest(word, words);
  return found.empty() ? "" : "; did you mean " + found + "?";
}

}  // namespace nestbind::cli
