// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/pomp-library/opari2/ctc.hpp"

namespace nestbind::opari2 {

namespace {

constexpr std::size_t kMaxLength = 1 << 20;

// Reads digits from the front of `text`, and takes them off. Returns -1 where there are none.
long take_number(std::string_view& text) {
  long number = -1;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9' &&
         number < static_cast<long>(kMaxLength)) {
    number = (number < 0 ? 0 : number) * 10 + (text.front() - '0');
    text.remove_prefix(1);
  }
  return number;
}

// The value of `key`, which begins behind an asterisk and ends before the next.
bool value_of(std::string_view text, std::string_view key, std::string_view& value) {
  while (!text.empty()) {
    const std::size_t end = text.find('*');
    const std::string_view field = text.substr(0, end);
    if (field.starts_with(key)) {
      value = field.substr(key.size());
      return true;
    }
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
  return false;
}

// "FILE:FIRST:LAST"; a file's name may have colons itself.
bool read_location(std::string_view text, std::string_view& file, int& first, int& last) {
  const std::size_t second = text.rfind(':');
  if (second == text.npos || second == 0) {
    return false;
  }
  const std::size_t colon = text.rfind(':', second - 1);
  if (colon == text.npos) {
    return false;
  }
  std::string_view lines = text.substr(colon + 1);
  const long begin = take_number(lines);
  if (begin < 0 || lines.empty() || lines.front() != ':') {
    return false;
  }
  lines.remove_prefix(1);
  const long end = take_number(lines);
  if (end < 0 || !lines.empty()) {
    return false;
  }
  file = text.substr(0, colon);
  first = static_cast<int>(begin);
  last = static_cast<int>(end);
  return true;
}

}  // namespace

bool read_ctc(const char* text, Source& source) {
  if (text == nullptr) {
    return false;
  }
  std::size_t digits = 0;
  long length = 0;
  while (text[digits] >= '0' && text[digits] <= '9' && length < static_cast<long>(kMaxLength)) {
    length = length * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || text[digits] != '*' || length >= static_cast<long>(kMaxLength)) {
    return false;
  }
  std::string_view fields(text + digits + 1, static_cast<std::size_t>(length));
  fields = fields.substr(0, fields.find("**"));
  std::string_view start;
  std::string_view end;
  Source read;
  std::string_view end_file;
  int unused = 0;
  if (!value_of(fields, "sscl=", start) || !value_of(fields, "escl=", end) ||
      !read_location(start, read.file, read.first_line, unused) ||
      !read_location(end, end_file, unused, read.last_line)) {
    return false;
  }
  source = read;
  return true;
}

}  // namespace nestbind::opari2
