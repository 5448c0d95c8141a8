// SPDX-License-Identifier: BSD-3-Clause
// The words of specifications, and lists of these words for messages. Only for lib/common/spec.
#pragma once

#include "spec/spec.hpp"
#include "support/word_list.hpp"

namespace nestbind::spec {

using support::listed;
using support::Text;
using support::Words;

// A specification may be one of these words, without levels.
inline constexpr char kOff[] = "off";
inline constexpr char kAuto[] = "auto";

// The levels of the word "auto".
inline constexpr Level kAutoLevels[] = {
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kScatter},
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kSubcompact}};

// Indexed by Kind.
inline constexpr const char* kKindWords[kKinds] = {"pu",   "core",    "l2",   "l3",
                                                   "numa", "package", "board"};

// An entry of kStrategyWords, which is indexed by Strategy.
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

// Returns the words, the largest kind first.
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
