// SPDX-License-Identifier: BSD-3-Clause
// Reads the output of a run: the number to compare, and the lines that must be equal in each run.
#pragma once

#include <regex.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

// A POSIX extended regular expression, as for grep -E.
class LinePattern {
 public:
  // If the text is no such expression, or has too few groups: not set, with the reason in `fault`.
  static std::optional<LinePattern> of(const std::string& text, std::size_t groups,
                                       std::string& fault);

  bool matches(const std::string& line) const;
  // The text of the first group; not set if the line does not match or has no such group.
  std::optional<std::string> first_group(const std::string& line) const;

 private:
  std::shared_ptr<const regex_t> compiled_;
};

// The text as a finite number. It may have blanks around it. Not set for any other text.
std::optional<double> number_of(const std::string& text);

// The first group's number in the last matching line, of the first file that has such a line.
std::optional<double> last_number(const LinePattern& pattern,
                                  const std::vector<std::string>& files);

// All matching lines of all files, in order.
std::vector<std::string> matching_lines(const LinePattern& pattern,
                                        const std::vector<std::string>& files);

}  // namespace nestbind::cli::tune
