// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// "0-3,8"; or "0,1,2,3,8".
inline void add_cpus(const mask::CpuMask& mask, bool as_ranges, support::TextBuffer& text) {
  const char* comma = "";
  const auto add = [&](const char* format, int first, int last = 0) {
    text.add("%s", comma);
    text.add(format, first, last);
    comma = ",";
  };
  if (as_ranges) {
    mask::each_range(mask,
                     [&](int first, int last) { add(last > first ? "%d-%d" : "%d", first, last); });
  } else {
    mask::each(mask, [&](int cpu) { add("%d", cpu); });
  }
}

// Likewise; "?", or nothing, without a mask.
inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  if (mask != nullptr) {
    add_cpus(mask->view(), as_ranges, text);
  } else if (as_ranges) {
    text.add("?");
  }
}

}  // namespace nestbind::observe
