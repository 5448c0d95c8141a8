// SPDX-License-Identifier: BSD-3-Clause
// A text that grows. If there is no memory, add() adds nothing.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cstddef>

namespace nestbind::support {

class TextBuffer {
 public:
  TextBuffer() = default;
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  ~TextBuffer() { free(text_); }

  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      va_list arguments;
      va_start(arguments, format);
      const std::size_t room = capacity_ - length_;
      const int wanted =
          vsnprintf(text_ == nullptr ? nullptr : text_ + length_, room, format, arguments);
      va_end(arguments);
      if (wanted < 0) {
        return;
      }
      if (static_cast<std::size_t>(wanted) < room) {
        length_ += static_cast<std::size_t>(wanted);
        return;
      }
      const std::size_t larger = 2 * capacity_ + static_cast<std::size_t>(wanted) + 1;
      char* grown = static_cast<char*>(realloc(text_, larger));
      if (grown == nullptr) {
        return;
      }
      text_ = grown;
      capacity_ = larger;
    }
  }

  const char* text() const { return text_ == nullptr ? "" : text_; }
  std::size_t length() const { return length_; }

  // The caller frees the text with free().
  char* release() {
    char* text = text_;
    text_ = nullptr;
    length_ = capacity_ = 0;
    return text;
  }

 private:
  char* text_ = nullptr;
  std::size_t length_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace nestbind::support
