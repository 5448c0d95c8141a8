// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

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

// One column for each byte, and none that ends the line.
char shown(char c) { return is_blank(c) ? ' ' : is_printable(c) ? c : '?'; }

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
  // What the cuts would take the place of is as well shown.
  const bool is_whole = text.size() <= kExcerpt + 2 * kCutWidth;
  const std::size_t early = position > kBefore ? position - kBefore : 0;
  const std::size_t begin = is_whole ? 0 : std::min(early, text.size() - kExcerpt);
  const std::size_t end = is_whole ? text.size() : begin + kExcerpt;
  out.put(kIndent);
  out.put(begin > 0 ? kCut : "");
  for (std::size_t i = begin; i < end; ++i) {
    out.put(shown(text.data()[i]));
  }
  out.put(end < text.size() ? kCut : "");
  out.put('\n');
  out.put(kIndent);
  const std::size_t column = position - begin + (begin > 0 ? kCutWidth : 0);
  for (std::size_t i = 0; i < column; ++i) {
    out.put(' ');
  }
  out.put('^');
}

}  // namespace

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  const std::size_t position = std::min(fault.position, text.size());
  Writer out(buffer, size);
  put_headline(out, fault, position);
  put_excerpt(out, text, position);
  return out.written();
}

}  // namespace nestbind::spec
