// SPDX-License-Identifier: BSD-3-Clause
// Writes text to a buffer of any size, also 0. Bytes that do not fit are only counted.
#pragma once

#include <algorithm>
#include <cstddef>

namespace nestbind::support {

class TextWriter {
 public:
  // buffer: room for `size` bytes, with the final nul; may be null if size is 0.
  TextWriter(char* buffer, std::size_t size) : buffer_(buffer), size_(size) {
    if (size_ > 0) {
      buffer_[0] = '\0';
    }
  }

  void put(char c) {
    if (length_ + 1 < size_) {
      buffer_[length_] = c;
      buffer_[length_ + 1] = '\0';
    }
    ++length_;
  }

  void put(const char* text) {
    for (; *text != '\0'; ++text) {
      put(*text);
    }
  }

  void put_number(std::size_t number) {
    if (number >= 10) {
      put_number(number / 10);
    }
    put(static_cast<char>('0' + number % 10));
  }

  std::size_t length() const { return length_; }
  std::size_t written() const { return size_ == 0 ? 0 : std::min(length_, size_ - 1); }

 private:
  char* buffer_;
  std::size_t size_;
  std::size_t length_ = 0;
};

}  // namespace nestbind::support
