// SPDX-License-Identifier: BSD-3-Clause
// Texts in parts, without <sstream>: its locales would be set up at every start of the command.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The parts of a text between any of the separators; empty ones are left out.
inline std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(separators, begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

}  // namespace nestbind::cli
