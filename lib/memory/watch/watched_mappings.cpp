// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/watched_mappings.hpp"

#include <charconv>

namespace nestbind::memory {

namespace {

// The next word, which the line loses with the blanks around it.
std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  const std::size_t more = line.find_first_not_of(' ', end);
  line.remove_prefix(more == std::string_view::npos ? line.size() : more);
  return word;
}

bool read_address(std::string_view text, std::uint64_t& address) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [read_to, error] = std::from_chars(begin, end, address, 16);
  return error == std::errc() && read_to == end;
}

}  // namespace

std::optional<Mapping> read_mapping(std::string_view line) {
  Mapping mapping;
  const std::string_view range = next_word(line);
  const std::string_view access = next_word(line);
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos || access.size() != 4 ||
      !read_address(range.substr(0, dash), mapping.begin) ||
      !read_address(range.substr(dash + 1), mapping.end) || mapping.begin >= mapping.end) {
    return std::nullopt;
  }
  mapping.is_writable = access[1] == 'w';
  mapping.is_executable = access[2] == 'x';
  mapping.is_private = access[3] == 'p';
  for (int word = 0; word < 3; ++word) {  // offset, device, file number
    next_word(line);
  }
  mapping.name = line;
  return mapping;
}

}  // namespace nestbind::memory
