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
  // The last three rows of the table of distances.
  std::vector<std::size_t> rows[3];
  for (auto& row : rows) {
    row.resize(b.size() + 1);
  }
  for (std::size_t j = 0; j <= b.size(); ++j) {
    rows[1][j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& [before, last, now] = rows;
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return rows[1][b.size()];
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
