// SPDX-License-Identifier: BSD-3-Clause
// That there are too few slots, in words.
#pragma once

#include <string>

namespace nestbind::planner {

inline std::string crowd(long threads, long slots) {
  return std::to_string(threads) + " threads share " + std::to_string(slots) +
         (slots == 1 ? " slot" : " slots");
}

}  // namespace nestbind::planner
