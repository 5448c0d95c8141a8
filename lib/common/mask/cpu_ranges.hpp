// SPDX-License-Identifier: BSD-3-Clause
// Writes sets of processors without libstdc++ (cpu_list.hpp needs it).
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/text_writer.hpp"

namespace nestbind::mask {

// Adds a list such as "0-3,8".
inline void add_ranges(const CpuMask& mask, support::TextBuffer& text) {
  const char* comma = "";
  each_range(mask, [&](int first, int last) {
    text.add(last > first ? "%s%d-%d" : "%s%d", comma, first, last);
    comma = ",";
  });
}

}  // namespace nestbind::mask
