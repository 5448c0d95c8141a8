// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/text.hpp"

#include <algorithm>

#include "support/caret.hpp"

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
  constexpr int kBase = 10;
  const std::size_t begin = cursor_.at;
  long read = 0;
  for (; cursor_.is_at_digit() && read <= most; ++cursor_.at) {
    read = kBase * read + (line_[cursor_.at] - '0');
  }
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

}  // namespace nestbind::mapping
