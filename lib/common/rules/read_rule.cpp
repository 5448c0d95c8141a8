// SPDX-License-Identifier: BSD-3-Clause
#include "rules/region_rules.hpp"
#include "support/text_cursor.hpp"

namespace nestbind::rules {

namespace {

using Cursor = support::TextCursor;
using Text = std::string_view;

constexpr char kExpectedWhere[] =
    "lines of a source file (solve.c:120-260), a function, a library (libfft.so:*), or *";
constexpr char kExpectedLines[] =
    "a line (solve.c:120), lines (solve.c:120-260), or * of a library";
constexpr char kExpectedSpec[] = "a specification, such as 2,scatter, or off";
constexpr std::uint64_t kMostLine = 99999999;

bool fail(Fault& fault, const char* what, std::size_t position, const char* expected) {
  fault = {what, position, expected};
  return false;
}

Text part(Text text, std::size_t from, std::size_t to) { return {text.data() + from, to - from}; }

std::size_t find_binary(Text line) {
  std::size_t at = 0;
  while (at < line.size() && (static_cast<unsigned char>(line.data()[at]) >= ' ' ||
                              support::is_blank(line.data()[at]))) {
    ++at;
  }
  return at;
}

std::size_t find(Text text, char wanted) {
  std::size_t at = 0;
  while (at < text.size() && text.data()[at] != wanted) {
    ++at;
  }
  return at;
}

// "::" belongs to a function's name.
bool is_colon(Text text, std::size_t at) {
  const auto is_one = [&](std::size_t here) {
    return here < text.size() && text.data()[here] == ':';
  };
  return is_one(at) && !is_one(at + 1) && (at == 0 || !is_one(at - 1));
}

std::size_t find_last_colon(Text text) {
  for (std::size_t at = text.size(); at-- > 0;) {
    if (is_colon(text, at)) {
      return at;
    }
  }
  return text.size();
}

// Returns the length of the library's or program's name at the beginning of the word, or 0. Before
// a number is the name of a source file, unless it is a library's name.
std::size_t module_of(Text word) {
  const std::size_t colon = find(word, ':');
  for (std::size_t at = 1; colon < word.size() && at + 3 <= colon; ++at) {
    const char* here = word.data() + at;
    const bool is_end = at + 3 == colon || here[3] == '.';
    if (here[0] == '.' && here[1] == 's' && here[2] == 'o' && is_end) {
      return colon;
    }
  }
  const char* const next = word.data() + colon + 1;
  const std::size_t left = is_colon(word, colon) ? word.size() - colon - 1 : 0;
  const bool is_address = left > 1 && next[0] == '0' && next[1] == 'x';
  return left > 0 && (is_address || !support::is_digit(next[0])) ? colon : 0;
}

bool take_address(Cursor& cursor, std::uint64_t& address) {
  const std::size_t begin = cursor.at + 2;
  if (begin > cursor.size || cursor.text[cursor.at] != '0' || cursor.text[cursor.at + 1] != 'x') {
    return false;
  }
  address = 0;
  for (cursor.at = begin; cursor.at < cursor.size; ++cursor.at) {
    const char c = support::to_lower(cursor.text[cursor.at]);
    const bool is_digit = support::is_digit(c);
    if (!is_digit && (c < 'a' || c > 'f')) {
      break;
    }
    address = address * 16 + static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return cursor.at > begin && cursor.at - begin <= 16;
}

bool take_line(Cursor& cursor, std::uint64_t& line) {
  const std::size_t begin = cursor.at;
  line = cursor.take_decimal(kMostLine);
  return cursor.at > begin && line > 0 && line <= kMostLine;
}

template <typename Take>
bool read_range(Cursor cursor, Where& where, Take take, Fault& fault) {
  const std::size_t begin = cursor.at;
  bool is_good = take(cursor, where.first);
  where.last = where.first;
  if (is_good && cursor.is_at('-')) {
    ++cursor.at;
    is_good = take(cursor, where.last) && where.first <= where.last;
  }
  return (is_good && cursor.at_end()) || fail(fault, "not a range", begin, kExpectedLines);
}

bool read_where(Text word, Where& where, Fault& fault) {
  if (word.size() == 1 && word.data()[0] == '*') {
    return true;
  }
  const std::size_t module = module_of(word);
  const std::size_t begin = module > 0 ? module + 1 : 0;
  where.module = part(word, 0, module);
  const Text rest = part(word, begin, word.size());
  const std::size_t colon = find_last_colon(rest);
  Cursor behind{word.data(), word.size(), begin + colon + 1};
  if (rest.size() > 1 && rest.data()[0] == '0' && rest.data()[1] == 'x' && module > 0) {
    where.kind = Where::Kind::kAddresses;
    behind.at = begin;
    return read_range(behind, where, take_address, fault);
  }
  if (module > 0 && rest.size() == 1 && rest.data()[0] == '*') {
    where.kind = Where::Kind::kModule;
    return true;
  }
  where.name = part(rest, 0, colon);
  if (where.name.empty()) {
    return fail(fault, "no region is named", begin, kExpectedWhere);
  }
  if (colon == rest.size()) {
    where.kind = Where::Kind::kFunction;
    return true;
  }
  where.kind = Where::Kind::kLines;
  return read_range(behind, where, take_line, fault);
}

bool read_rule(Text line, std::size_t begin, Rule& rule, Fault& fault) {
  Cursor end{line.data(), line.size(), begin};
  while (!end.at_end() && !support::is_blank(line.data()[end.at])) {
    ++end.at;
  }
  if (!read_where(part(line, begin, end.at), rule.where, fault)) {
    fault.position += begin;
    return false;
  }
  end.skip_blanks();
  spec::Fault of_spec;
  if (end.at_end()) {
    return fail(fault, "no specification for the region", end.at, kExpectedSpec);
  }
  return spec::parse(part(line, end.at, line.size()), rule.spec, of_spec) ||
         fail(fault, spec::strerror(of_spec.error), end.at + of_spec.position, of_spec.expected);
}

}  // namespace

Line read_line(Text line, Rule& rule, Fault& fault) {
  const std::size_t binary = find_binary(line);
  if (binary < line.size()) {
    fail(fault, "not a text", binary, "");
    return Line::kFaulty;
  }
  Cursor cursor{line.data(), find(line, '#')};
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return Line::kEmpty;
  }
  rule = {};
  return read_rule(part(line, 0, cursor.size), cursor.at, rule, fault) ? Line::kRule
                                                                       : Line::kFaulty;
}

std::size_t describe(Text line, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(line, fault.position, fault.what, fault.expected, buffer, size);
}

}  // namespace nestbind::rules
