// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "cli/doctor/doctor.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli {

void print(const Findings& findings) {
  std::size_t width = 0;
  for (const Findings::Line& line : findings.lines) {
    width = std::max(width, line.topic.size());
  }
  for (const Findings::Line& line : findings.lines) {
    std::string topic = line.topic;
    for (const std::string& text : inspect::split(line.text, "\n")) {
      fmt::print("{:<{}}  {}\n", topic, width, text);
      topic.clear();
    }
  }
}

}  // namespace nestbind::cli
