// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nestbind::loops {

// floor(whole * part / parts), where that fits, for part and parts below 2^32: nothing overflows in
// between.
constexpr std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace nestbind::loops
