// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// "0-3,8"; "?" without a mask.
inline void add_ranges(const mask::MaskBuffer* mask, support::TextBuffer& text) {
  if (mask == nullptr) {
    text.add("?");
    return;
  }
  const char* comma = "";
  mask::each_range(mask->view(), [&](int first, int last) {
    text.add("%s%d", comma, first);
    if (last > first) {
      text.add("-%d", last);
    }
    comma = ",";
  });
}

// "0,1,2,3,8"; nothing without a mask.
inline void add_numbers(const mask::MaskBuffer* mask, support::TextBuffer& text) {
  const char* comma = "";
  if (mask != nullptr) {
    mask::each(mask->view(), [&](int cpu) {
      text.add("%s%d", comma, cpu);
      comma = ",";
    });
  }
}

}  // namespace nestbind::observe
