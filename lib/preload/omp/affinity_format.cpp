// SPDX-License-Identifier: BSD-3-Clause
#include "omp/affinity_format.hpp"

#include <string.h>

#include "support/decimal.hpp"

namespace nestbind::omp {

namespace {

// %[[[0].]size]type
struct Field {
  int length;  // of its text
  bool is_affinity;
  bool is_right;  // justified
  int size;       // at least; 0: as its value is
};

// What is at a percent sign. Of a field for something else, the percent sign alone.
Field read_field(const char* percent) {
  if (percent[1] == '%') {
    return {2, false, false, 0};
  }
  constexpr Field kOther{1, false, false, 0};
  constexpr int kMost = 999999;
  const char* at = percent + 1;
  const bool has_zero = *at == '0';
  at += has_zero ? 1 : 0;
  const bool has_dot = *at == '.';
  at += has_dot ? 1 : 0;
  const char* const digits = at;
  const auto size = static_cast<int>(support::take_decimal(at, nullptr, kMost));
  if ((has_zero && !has_dot) || (has_dot && size == 0) || *digits == '0' || size > kMost) {
    return kOther;
  }
  constexpr char kLong[] = "{thread_affinity}";
  constexpr int kLongLength = sizeof kLong - 1;
  const int name = *at == 'A' ? 1 : strncmp(at, kLong, kLongLength) == 0 ? kLongLength : 0;
  return name == 0 ? kOther : Field{static_cast<int>(at - percent) + name, true, has_dot, size};
}

void add_list(const mask::CpuMask& cpus, bool pairs_are_ranges, support::TextBuffer& list) {
  const char* comma = "";
  mask::each_range(cpus, [&](int first, int last) {
    if (first == last) {
      list.add("%s%d", comma, first);
    } else if (last == first + 1 && !pairs_are_ranges) {
      list.add("%s%d,%d", comma, first, last);
    } else {
      list.add("%s%d-%d", comma, first, last);
    }
    comma = ",";
  });
}

}  // namespace

void add_format(const char* format, const mask::CpuMask& cpus, bool pairs_are_ranges,
                support::TextBuffer& text) {
  support::TextBuffer list;
  add_list(cpus, pairs_are_ranges, list);
  while (*format != '\0') {
    const auto plain = static_cast<int>(strcspn(format, "%"));
    text.add("%.*s", plain, format);
    format += plain;
    if (*format == '\0') {
      return;
    }
    const Field field = read_field(format);
    if (!field.is_affinity) {
      text.add("%.*s", field.length, format);
    } else if (field.is_right) {
      text.add("%*s", field.size, list.text());
    } else {
      text.add("%-*s", field.size, list.text());
    }
    format += field.length;
  }
}

}  // namespace nestbind::omp
