// SPDX-License-Identifier: BSD-3-Clause
// Characters, and decimal numbers without a sign; leading zeros are allowed. The locale has no
// effect, blanks are not skipped, and nothing overflows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nestbind::support {

// The functions of <cctype> depend on the locale.
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

inline constexpr std::uint64_t kAnyDecimal = UINT64_MAX - 1;

// Moves `at` past the digits. If the number exceeds `most`, returns most + 1. most: less than
// UINT64_MAX. If `end` is null, a byte that is not a digit must follow the number.
constexpr std::uint64_t take_decimal(const char*& at, const char* end, std::uint64_t most) {
  std::uint64_t number = 0;
  for (; at != end && is_digit(*at); ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    const bool is_above = number > most / 10 || (number == most / 10 && digit > most % 10);
    number = is_above ? most + 1 : 10 * number + digit;
  }
  return number;
}

template <typename Number>
constexpr bool read_decimal(const char* text, std::size_t size, std::uint64_t most,
                            Number& number) {
  const char* at = text;
  const std::uint64_t taken = take_decimal(at, text + size, most);
  const bool is_good = size > 0 && at == text + size && taken <= most;
  number = is_good ? static_cast<Number>(taken) : number;
  return is_good;
}

// Decodes the first character of a text in UTF-8 (RFC 3629). The text is not empty. Returns the
// character's length; 0 if invalid or too long.
inline std::size_t character_of(const char* text, std::size_t size, std::uint32_t& character) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) {
    character = byte(0);
    return 1;
  }
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC0 || byte(0) > 0xF4 || size < length) {
    return 0;
  }
  character = byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
    character = character << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = character >= 0xD800 && character <= 0xDFFF;
  return character < kSmallest[length] || character > 0x10FFFF || is_surrogate ? 0 : length;
}

}  // namespace nestbind::support
