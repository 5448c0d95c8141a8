// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/text_lines.hpp"

#include <algorithm>

#include "support/text_cursor.hpp"

namespace nestbind::mapping {

bool Lines::next() {
  if (begin_ >= text_.size()) {
    return false;
  }
  const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
  line_ = text_.substr(begin_, end - begin_);
  begin_ = end + 1;
  ++number_;
  cursor_ = {line_.data(), line_.size()};
  return true;
}

bool Lines::read_number(int most, int& number) {
  const std::size_t begin = cursor_.at;
  const auto read = static_cast<long>(cursor_.take_decimal(static_cast<std::uint64_t>(most)));
  if (cursor_.at == begin || read > most) {
    cursor_.at = begin;
    return false;
  }
  number = static_cast<int>(read);
  return true;
}

bool Lines::read_path(int most, std::vector<int>& path) {
  for (;;) {
    int number = 0;
    if (!read_number(most, number)) {
      return false;
    }
    path.push_back(number);
    if (!cursor_.is_at('.')) {
      return true;
    }
    ++cursor_.at;
  }
}

Fault Lines::fault_at(std::size_t position, std::string what, std::string expected) const {
  return {number_, position, std::move(what), std::move(expected)};
}

std::string describe(std::string_view text, const Fault& fault) {
  Lines lines(text);
  while (lines.number() < fault.line && lines.next()) {
  }
  constexpr std::size_t kRoom = 512;
  char message[kRoom];
  const std::size_t length = support::describe(lines.line(), fault.position, fault.what.c_str(),
                                               fault.expected.c_str(), message, sizeof message);
  return "line " + std::to_string(fault.line) + ", " + std::string(message, length);
}

std::optional<std::vector<int>> whole_numbers(std::string_view text) {
  constexpr int kMost = 1 << 30;
  std::vector<int> numbers;
  for (Lines lines(text); lines.next();) {
    while (!lines.at_end()) {
      int number = 0;
      if (!lines.read_number(kMost, number)) {
        return std::nullopt;
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace nestbind::mapping
