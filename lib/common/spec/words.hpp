// SPDX-License-Identifier: BSD-3-Clause
// The words of specifications, and lists of these words for messages. Only for lib/common/spec.
#pragma once

#include "spec/spec.hpp"
#include "support/word_list.hpp"

namespace nestbind::spec {

using support::listed;
using support::Text;
using support::Words;

inline constexpr char kOff[] = "off";
inline constexpr char kAuto[] = "auto";

inline constexpr Level kAutoLevels[] = {
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kScatter},
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kSubcompact}};

// Indexed by Kind.
inline constexpr const char* kKindWords[kKinds] = {"pu",   "core",    "l2",   "l3",
                                                   "numa", "package", "board"};

struct StrategyWord {
  const char* word;
  bool takes_domain;
};
inline constexpr StrategyWord kStrategyWords[kStrategies] = {
    {"scatter", false}, {"compact", false}, {"subscatter", true}, {"subcompact", true}};

struct KindRange {
  Kind first;
  Kind last;
};
inline constexpr KindRange kSizes = {Kind::kPu, Kind::kPackage};
inline constexpr KindRange kDomains = {Kind::kL2, Kind::kBoard};

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

}  // namespace nestbind::spec
