// SPDX-License-Identifier: BSD-3-Clause
// The words of the text, each once, and lists of them for messages. Inside lib/spec only.
#pragma once

#include <cstddef>

#include "spec/spec.hpp"

namespace nestbind::spec {

// In place of all levels.
inline constexpr char kOff[] = "off";

// By Kind.
inline constexpr const char* kKindWords[kKinds] = {"pu",   "core",    "l2",   "l3",
                                                   "numa", "package", "board"};

// By Strategy.
struct StrategyWord {
  const char* word;
  bool takes_domain;
};
inline constexpr StrategyWord kStrategyWords[kStrategies] = {
    {"scatter", false}, {"compact", false}, {"subscatter", true}, {"subcompact", true}};

// The kinds that may be a size, and those that may be a domain.
struct KindRange {
  Kind first;
  Kind last;
};
inline constexpr KindRange kSizes = {Kind::kPu, Kind::kPackage};
inline constexpr KindRange kDomains = {Kind::kL2, Kind::kBoard};

struct Words {
  const char* word[kKinds > kStrategies ? kKinds : kStrategies] = {};
  int count = 0;
};

// The largest first.
consteval Words words_of(KindRange kinds) {
  Words words;
  for (int kind = static_cast<int>(kinds.last); kind >= static_cast<int>(kinds.first); --kind) {
    words.word[words.count++] = kKindWords[kind];
  }
  return words;
}

consteval Words strategy_words(bool with_domain_only) {
  Words words;
  for (const StrategyWord& strategy : kStrategyWords) {
    if (strategy.takes_domain || !with_domain_only) {
      words.word[words.count++] = strategy.word;
    }
  }
  return words;
}

struct Text {
  char bytes[96] = {};
  std::size_t length = 0;
  consteval void put(const char* text) {
    for (; *text != '\0'; ++text) {
      bytes[length++] = *text;
    }
  }
};

// "BEFORE a, b CONJUNCTION c AFTER"; the blanks are the caller's.
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

}  // namespace nestbind::spec
