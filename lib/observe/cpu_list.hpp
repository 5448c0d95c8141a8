// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// "0-3,8", and "?" without a mask; or "0,1,2,3,8", and nothing.
inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  const char* comma = "";
  const auto add = [&](const char* format, int first, int last = 0) {
    text.add("%s", comma);
    text.add(format, first, last);
    comma = ",";
  };
  if (mask == nullptr) {
    text.add("%s", as_ranges ? "?" : "");
  } else if (as_ranges) {
    mask::each_range(mask->view(),
                     [&](int first, int last) { add(last > first ? "%d-%d" : "%d", first, last); });
  } else {
    mask::each(mask->view(), [&](int cpu) { add("%d", cpu); });
  }
}

}  // namespace nestbind::observe
