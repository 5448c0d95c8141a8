// SPDX-License-Identifier: BSD-3-Clause
// The words in the text of a schedule, and lists of these words for messages.
#pragma once

#include "loops/schedule.hpp"
#include "support/word_list.hpp"

namespace nestbind::loops {

// The words for Kind, Sharing, Weights and Taken, indexed by these enums.
inline constexpr const char* kKindWords[] = {"native", "hybrid", "balanced"};
inline constexpr const char* kSharingWords[] = {"thread", "l2", "l3", "numa", "package", "all"};
inline constexpr const char* kWeightWords[] = {"equal", "measured"};
inline constexpr const char* kTakenWords[] = {"runtime", "dynamic", "all"};
inline constexpr char kAutoWord[] = "auto";

// The options, in the order of the canonical text.
enum class Option {
  kFraction,
  kChunk,
  kTaper,
  kQueue,
  kWeights,
  kBlocks,
  kEvery,
  kSteal,
  kAlpha,
  kLoops
};
inline constexpr int kOptions = 10;
struct OptionWord {
  const char* word;
  bool has_value;
  bool is_of_hybrid;
  bool is_of_balanced;
  constexpr bool is_of(Kind kind) const {
    return kind == Kind::kHybrid ? is_of_hybrid : kind == Kind::kBalanced && is_of_balanced;
  }
};
inline constexpr OptionWord kOptionWords[kOptions] = {
    {"f", true, true, false},     {"chunk", true, true, false},   {"taper", false, true, false},
    {"queue", true, true, false}, {"weights", true, true, false}, {"blocks", true, false, true},
    {"every", true, false, true}, {"steal", true, false, true},   {"alpha", true, false, true},
    {"loops", true, true, true}};

template <int Count>
consteval support::Words all_of(const char* const (&words)[Count]) {
  support::Words list;
  for (const char* word : words) {
    list.word[list.count++] = word;
  }
  return list;
}

consteval support::Words option_words(Kind kind) {
  support::Words list;
  for (const OptionWord& option : kOptionWords) {
    if (option.is_of(kind)) {
      list.word[list.count++] = option.word;
    }
  }
  return list;
}

}  // namespace nestbind::loops
