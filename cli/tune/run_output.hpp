// SPDX-License-Identifier: BSD-3-Clause
// What a run has written: the number by which it is measured, and the lines that have to be as
// ever.
#pragma once

#include <regex.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

// A POSIX extended regular expression, as of grep -E.
class LinePattern {
 public:
  // None, with the reason in `fault`, of a text that is no such expression, or has fewer groups.
  static std::optional<LinePattern> of(const std::string& text, std::size_t groups,
                                       std::string& fault);

  bool matches(const std::string& line) const;
  // The text of the first group; none where the line does not match, or without the group.
  std::optional<std::string> first_group(const std::string& line) const;

 private:
  std::shared_ptr<const regex_t> compiled_;
};

// A finite number that is all of the text, but for blanks around it; none otherwise.
std::optional<double> number_of(const std::string& text);

// The number that is the first group in the last line that matches, of the first of these files
// that has one.
std::optional<double> last_number(const LinePattern& pattern,
                                  const std::vector<std::string>& files);

// All lines that match, of one file after the other.
std::vector<std::string> matching_lines(const LinePattern& pattern,
                                        const std::vector<std::string>& files);

}  // namespace nestbind::cli::tune
