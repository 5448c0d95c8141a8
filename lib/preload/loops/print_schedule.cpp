// SPDX-License-Identifier: BSD-3-Clause
#include "loops/schedule.hpp"
#include "loops/schedule_words.hpp"
#include "support/caret.hpp"
#include "support/text_writer.hpp"

namespace nestbind::loops {
namespace {

using support::TextWriter;

void put_name(TextWriter& out, Option option) {
  const OptionWord& word = kOptionWords[static_cast<int>(option)];
  out.put(',');
  out.put(word.word);
  out.put(word.has_value ? "=" : "");
}

void put_fraction(TextWriter& out, int fraction) {
  out.put(static_cast<char>('0' + fraction / Schedule::kWhole));
  int rest = fraction % Schedule::kWhole;
  out.put(rest > 0 ? "." : "");
  for (int unit = Schedule::kWhole / 10; rest > 0; unit /= 10) {
    out.put(static_cast<char>('0' + rest / unit));
    rest %= unit;
  }
}

void put_count(TextWriter& out, Option option, std::uint64_t value, std::uint64_t usual) {
  if (value != usual) {
    put_name(out, option);
    out.put_number(value);
  }
}

template <typename Enum>
void put_word(TextWriter& out, Option option, const char* const* words, Enum value, Enum usual) {
  if (value != usual) {
    put_name(out, option);
    out.put(words[static_cast<int>(value)]);
  }
}

}  // namespace

std::size_t print(const Schedule& schedule, char* buffer, std::size_t size) {
  TextWriter out(buffer, size);
  const Schedule usual;
  out.put(kKindWords[static_cast<int>(schedule.kind)]);
  if (schedule.kind == Kind::kNative) {
    return out.length();
  }
  if (schedule.has_fraction()) {
    put_name(out, Option::kFraction);
    put_fraction(out, schedule.fraction);
  }
  put_count(out, Option::kChunk, schedule.chunk, usual.chunk);
  if (schedule.taper) {
    put_name(out, Option::kTaper);
  }
  put_word(out, Option::kQueue, kSharingWords, schedule.sharing, usual.sharing);
  put_word(out, Option::kWeights, kWeightWords, schedule.weights, usual.weights);
  put_count(out, Option::kBlocks, static_cast<std::uint64_t>(schedule.blocks),
            static_cast<std::uint64_t>(usual.blocks));
  put_count(out, Option::kEvery, schedule.every, usual.every);
  if (schedule.steal != usual.steal) {
    put_name(out, Option::kSteal);
    put_fraction(out, schedule.steal);
  }
  if (schedule.alpha != usual.alpha) {
    put_name(out, Option::kAlpha);
    put_fraction(out, schedule.alpha);
  }
  put_word(out, Option::kLoops, kTakenWords, schedule.taken, usual.taken);
  return out.length();
}

namespace {

// Indexed by Error.
constexpr const char* kMeanings[] = {"no error",
                                     "empty schedule",
                                     "unknown schedule",
                                     "missing or unknown option",
                                     "option given twice",
                                     "not a fraction",
                                     "not a chunk",
                                     "not a number in its range",
                                     "missing or unknown word",
                                     "missing separator"};
static_assert(sizeof kMeanings / sizeof kMeanings[0] == kErrors);

}  // namespace

const char* meaning(Error error) {
  const auto number = static_cast<unsigned>(error);
  return number < kErrors ? kMeanings[number] : "unknown error";
}

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, meaning(fault.error), fault.expected, buffer,
                           size);
}

}  // namespace nestbind::loops
