// SPDX-License-Identifier: BSD-3-Clause
// Lists of words for messages, made at compile time: each word is written once, in a table.
#pragma once

#include <cstddef>

namespace nestbind::support {

struct Words {
  const char* word[12] = {};
  int count = 0;
};

struct Text {
  char bytes[96] = {};
  std::size_t length = 0;
  consteval void put(const char* text) {
    for (; *text != '\0'; ++text) {
      bytes[length++] = *text;
    }
  }
};

// Returns "BEFORE a, b CONJUNCTION c AFTER". The arguments contain all blanks.
consteval Text listed(const char* before, const Words& words, const char* conjunction,
                      const char* after = "") {
  Text text;
  text.put(before);
  for (int i = 0; i < words.count; ++i) {
    text.put(i == 0 ? "" : i + 1 < words.count ? ", " : conjunction);
    text.put(words.word[i]);
  }
  text.put(after);
  return text;
}

}  // namespace nestbind::support
