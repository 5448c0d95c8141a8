// SPDX-License-Identifier: BSD-3-Clause
#include "spec/ascii.hpp"
#include "spec/errors.hpp"
#include "spec/spec.hpp"
#include "spec/writer.hpp"

namespace nestbind::spec {
namespace {

constexpr char kIndent[] = "  ";
constexpr char kCut[] = "...";
constexpr std::size_t kCutWidth = sizeof kCut - 1;

// With the indent, both cuts and a caret behind the end, a line has at most 99 columns.
constexpr std::size_t kExcerpt = 90;
// Of an excerpt, how much stands in front of the fault: what went before explains more.
constexpr std::size_t kBefore = 60;

struct Excerpt {
  std::size_t begin;
  std::size_t end;
};

Excerpt excerpt_around(std::size_t position, std::size_t size) {
  // What the cuts would take the place of is as well shown.
  if (size <= kExcerpt + 2 * kCutWidth) {
    return {0, size};
  }
  std::size_t begin = position > kBefore ? position - kBefore : 0;
  if (begin > size - kExcerpt) {
    begin = size - kExcerpt;
  }
  return {begin, begin + kExcerpt};
}

// One column for each byte, and none that ends the line.
char shown(char c) {
  if (is_blank(c)) {
    return ' ';
  }
  return is_printable(c) ? c : '?';
}

void put_headline(Writer& out, const Fault& fault, std::size_t position) {
  out.put("column ");
  out.put_number(position + 1);
  out.put(": ");
  out.put(strerror(fault.error));
  if (fault.expected != nullptr && fault.expected[0] != '\0') {
    out.put(", expected ");
    out.put(fault.expected);
  }
  out.put('\n');
}

// The excerpt, and in the line below it a caret under `position`.
void put_excerpt(Writer& out, std::string_view text, std::size_t position) {
  const Excerpt excerpt = excerpt_around(position, text.size());
  const bool begins_late = excerpt.begin > 0;
  out.put(kIndent);
  out.put(begins_late ? kCut : "");
  for (std::size_t i = excerpt.begin; i < excerpt.end; ++i) {
    out.put(shown(text.data()[i]));
  }
  out.put(excerpt.end < text.size() ? kCut : "");
  out.put('\n');
  out.put(kIndent);
  const std::size_t column = position - excerpt.begin + (begins_late ? kCutWidth : 0);
  for (std::size_t i = 0; i < column; ++i) {
    out.put(' ');
  }
  out.put('^');
}

}  // namespace

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  const std::size_t position = fault.position < text.size() ? fault.position : text.size();
  Writer out(buffer, size);
  put_headline(out, fault, position);
  put_excerpt(out, text, position);
  return out.written();
}

}  // namespace nestbind::spec
