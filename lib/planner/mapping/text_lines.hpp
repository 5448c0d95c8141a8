// SPDX-License-Identifier: BSD-3-Clause
// Reads a file that a user wrote, line by line, and reports faults in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/text_cursor.hpp"

namespace nestbind::mapping {

// An error in a text. Lines count from 1, bytes in a line from 0.
struct Fault {
  std::size_t line = 0;
  std::size_t position = 0;
  std::string what;
  std::string expected;
};

// Returns "line 3, column 5: WHAT, expected EXPECTED", the line, and a caret under the error.
std::string describe(std::string_view text, const Fault& fault);

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next();

  std::size_t number() const { return number_; }
  std::string_view line() const { return line_; }
  support::TextCursor& cursor() { return cursor_; }

  bool at_end() {
    cursor_.skip_blanks();
    return cursor_.at_end();
  }

  // Takes the text up to a blank, or up to `end`.
  std::string_view take_word(char end = ' ') {
    const std::size_t begin = cursor_.at;
    while (!cursor_.at_end() && !support::is_blank(line_[cursor_.at]) && !cursor_.is_at(end)) {
      ++cursor_.at;
    }
    return line_.substr(begin, cursor_.at - begin);
  }

  // Reads a number from 0 to `most`. If there is no such number, returns false.
  bool read_number(int most, int& number);

  // Reads a path such as "0.3". If a number is above `most`, stops there and returns false.
  bool read_path(int most, std::vector<int>& path);

  Fault fault_at(std::size_t position, std::string what, std::string expected) const;
  Fault fault(std::string what, std::string expected) const {
    return fault_at(cursor_.at, std::move(what), std::move(expected));
  }

 private:
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
  std::string_view line_;
  support::TextCursor cursor_{nullptr, 0};
};

// Returns the numbers in a text; none if the text has words, or numbers above 2^30.
std::optional<std::vector<int>> whole_numbers(std::string_view text);

}  // namespace nestbind::mapping
