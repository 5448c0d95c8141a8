// SPDX-License-Identifier: BSD-3-Clause
// The words of the text, each once, and lists of them for messages. For the text's own files only.
#pragma once

#include "loops/schedule.hpp"
#include "support/word_list.hpp"

namespace nestbind::loops {

// By Kind, Sharing, Weights and Taken.
inline constexpr const char* kKindWords[] = {"native", "hybrid"};
inline constexpr const char* kSharingWords[] = {"thread", "l2", "l3", "numa", "package", "all"};
inline constexpr const char* kWeightWords[] = {"equal", "measured"};
inline constexpr const char* kTakenWords[] = {"runtime", "dynamic", "all"};
// In place of a number.
inline constexpr char kAutoWord[] = "auto";

// In the order of the canonical text.
enum class Option { kFraction, kChunk, kTaper, kQueue, kWeights, kLoops };
inline constexpr int kOptions = 6;
struct OptionWord {
  const char* word;
  bool has_value;  // behind '='
};
inline constexpr OptionWord kOptionWords[kOptions] = {{"f", true},       {"chunk", true},
                                                      {"taper", false},  {"queue", true},
                                                      {"weights", true}, {"loops", true}};

template <int Count>
consteval support::Words all_of(const char* const (&words)[Count]) {
  support::Words list;
  for (const char* word : words) {
    list.word[list.count++] = word;
  }
  return list;
}

consteval support::Words option_words() {
  support::Words list;
  for (const OptionWord& option : kOptionWords) {
    list.word[list.count++] = option.word;
  }
  return list;
}

}  // namespace nestbind::loops
