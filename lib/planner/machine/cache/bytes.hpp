// SPDX-License-Identifier: BSD-3-Clause
// Numbers as bytes in this machine's order.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace nestbind::machine::cache {

template <typename Number>
void put(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

template <typename Number>
bool take(std::string_view& bytes, Number& number) {
  if (bytes.size() < sizeof number) {
    return false;
  }
  bytes.remove_prefix(bytes.copy(reinterpret_cast<char*>(&number), sizeof number));
  return true;
}

}  // namespace nestbind::machine::cache
