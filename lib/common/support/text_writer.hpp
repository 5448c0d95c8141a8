// SPDX-License-Identifier: BSD-3-Clause
// Texts that our code writes.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>

#include "support/decimal.hpp"

namespace nestbind::support {

// A text that grows. If there is no memory, add() adds nothing.
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

// Writes text to a buffer of any size, also 0. Bytes that do not fit are only counted.
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

// A text from outside, such as a program's name, made safe for our output.
// Bytes that could end a line or a JSON text, or control a terminal, become '?'.
struct Shown {
  char text[256] = "";

  explicit Shown(const char* given) {
    for (std::size_t i = 0; given[i] != '\0' && i + 1 < sizeof text; ++i) {
      const bool is_plain = is_printable(given[i]) && given[i] != '"' && given[i] != '\\';
      text[i] = is_plain ? given[i] : '?';
    }
  }
};

}  // namespace nestbind::support
