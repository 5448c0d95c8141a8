// SPDX-License-Identifier: BSD-3-Clause
// Reads a run's output. Finds the number to compare. Finds the lines that must be equal in all
// runs.
#pragma once

#include <regex.h>

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

// A POSIX extended regular expression, as for grep -E.
class LinePattern {
 public:
  // If the expression is wrong or has too few groups, returns nothing and sets `fault`.
  static std::optional<LinePattern> of(const std::string& text, std::size_t groups,
                                       std::string& fault);

  bool matches(const std::string& line) const;
  // Returns the text of the first group; not set if the line does not match or has no such group.
  std::optional<std::string> first_group(const std::string& line) const;

 private:
  std::shared_ptr<const regex_t> compiled_;
};

std::optional<double> number_of(const std::string& text);

// Uses the first file with a matching line, and there the last matching line. The result is the
// number in the first group of the pattern.
std::optional<double> last_number(const LinePattern& pattern,
                                  const std::vector<std::string>& files);

std::vector<std::string> matching_lines(const LinePattern& pattern,
                                        const std::vector<std::string>& files);

// Finds the region that takes most of a program's time, in a trace of a run.
struct SlowestRegion {
  std::string module;
  std::uint64_t address = 0;  // its address in the file
  double seconds = 0;         // of all executions of the region
  double all = 0;
};

// trace: from lib/preload/process/traced.cpp, with rules. Returns nothing if no region has ended.
std::optional<SlowestRegion> slowest_region(std::istream& trace);

}  // namespace nestbind::cli::tune
