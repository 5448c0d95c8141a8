// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/printable.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "cli/common/printable.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli {

namespace {

bool is_shown(std::uint32_t character) {
  constexpr struct {
    std::uint32_t first, last;
  } kHidden[] = {{0, 0x1F},        {0x7F, 0x9F},      {0xAD, 0xAD},     {0x61C, 0x61C},
                 {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                 {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  return std::none_of(std::begin(kHidden), std::end(kHidden), [&](const auto& range) {
    return character >= range.first && character <= range.last;
  });
}

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

std::string printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t character = 0;
    const std::size_t length = support::character_of(text.data(), text.size(), character);
    const std::size_t taken = length == 0 ? 1 : length;
    if (length != 0 && is_shown(character)) {
      shown.append(text.substr(0, taken));
    } else {
      for (const char c : text.substr(0, taken)) {
        const auto byte = static_cast<unsigned char>(c);
        shown.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 0xF]);
      }
    }
    text.remove_prefix(taken);
  }
  return shown;
}

std::string shell_quoted(std::string_view text, std::string_view shell) {
  std::string quoted = "'";
  for (const char c : text) {
    // csh replaces "!" also between quotes, and fish reads backslashes there.
    const bool is_escaped = (c == '!' && shell == "csh") || (c == '\\' && shell == "fish");
    quoted += c == '\'' ? "'\\''" : is_escaped ? "\\" + std::string(1, c) : std::string(1, c);
  }
  return quoted + "'";
}

std::string shell_word(std::string_view text) {
  const bool is_plain =
      !text.empty() && text.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "/.:_-+=,") == std::string_view::npos;
  return is_plain ? std::string(text) : shell_quoted(text);
}

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
