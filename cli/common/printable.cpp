// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/printable.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

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

}  // namespace

std::string printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t character = 0;
    const std::size_t length = support::character_of(text, character);
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

}  // namespace nestbind::cli
