// SPDX-License-Identifier: BSD-3-Clause
// A job on a node, as a number: ranks with the same can meet.
#pragma once

#include <cstdint>

namespace nestbind::ranks {

class Key {
 public:
  // A text, which may be null.
  void add(const char* text) {
    for (const char* c = text == nullptr ? "" : text; *c != '\0'; ++c) {
      add_byte(static_cast<unsigned char>(*c));
    }
    add_byte(text == nullptr ? kNoText : kEndOfText);
  }
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      add_byte(static_cast<unsigned char>(number >> 8 * byte));
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr unsigned char kEndOfText = 0;
  static constexpr unsigned char kNoText = 1;

  // FNV-1a.
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace nestbind::ranks
