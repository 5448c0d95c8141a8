// SPDX-License-Identifier: BSD-3-Clause
// Decimal numbers without a sign; leading zeros are allowed. The locale has no effect, blanks are
// not skipped, and nothing overflows.
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

}  // namespace nestbind::support
