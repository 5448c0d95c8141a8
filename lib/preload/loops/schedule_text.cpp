// SPDX-License-Identifier: BSD-3-Clause
// Each rule of the grammar has a function, which leaves the cursor after the text that it has read.
#include "loops/schedule.hpp"
#include "support/text_cursor.hpp"
#include "support/text_writer.hpp"

namespace nestbind::loops {
namespace {

// The words for Kind, Sharing, Weights and Taken, indexed by these enums.
constexpr const char* kKindWords[] = {"native", "hybrid", "balanced"};
constexpr const char* kSharingWords[] = {"thread", "l2", "l3", "numa", "package", "all"};
constexpr const char* kWeightWords[] = {"equal", "measured"};
constexpr const char* kTakenWords[] = {"runtime", "dynamic", "all"};
constexpr char kAutoWord[] = "auto";

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
constexpr int kOptions = 10;
struct OptionWord {
  const char* word;
  bool has_value;
  bool is_of_hybrid;
  bool is_of_balanced;
  constexpr bool is_of(Kind kind) const {
    return kind == Kind::kHybrid ? is_of_hybrid : kind == Kind::kBalanced && is_of_balanced;
  }
};
constexpr OptionWord kOptionWords[kOptions] = {
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

using support::listed;
using support::Text;
using support::TextCursor;

constexpr Text kExpectedKind = listed("", all_of(kKindWords), " or ");
constexpr Text kExpectedOfHybrid = listed("", option_words(Kind::kHybrid), " or ");
constexpr Text kExpectedOfBalanced = listed("", option_words(Kind::kBalanced), " or ");
constexpr Text kExpectedSharing = listed("", all_of(kSharingWords), " or ");
constexpr Text kExpectedWeights = listed("", all_of(kWeightWords), " or ");
constexpr Text kExpectedTaken = listed("", all_of(kTakenWords), " or ");
constexpr char kExpectedKindOfOurs[] =
    "native, hybrid or balanced (set OMP_SCHEDULE for the runtime's static, dynamic and guided)";
constexpr char kExpectedPoint[] = "a decimal point, not a comma";
constexpr char kExpectedFraction[] = "a number from 0 to 1, or auto";
constexpr char kExpectedPart[] = "a number from 0 to 1";
constexpr char kExpectedChunk[] = "a number of iterations, 1 or more, or auto";
constexpr char kExpectedSmaller[] = "at most 1099511627776";
static_assert(kMaxChunk == 1099511627776);
constexpr char kExpectedBlocks[] = "a number of blocks, 2 to 1024";
static_assert(kFewestBlocks == 2 && kMostBlocks == 1024);
constexpr char kExpectedEvery[] = "a number of executions, 1 to 1000000, or auto";
static_assert(kMaxEvery == 1000000);
constexpr char kExpectedOnce[] = "each option once";
constexpr char kExpectedEquals[] = "'='";
constexpr char kExpectedCommaOrEnd[] = "',' or the end";
constexpr char kExpectedEnd[] = "the end: native has no options";

bool fail(Fault& fault, Error error, std::size_t position, const char* expected) {
  fault = {error, position, expected};
  return false;
}

// If the text has none of the words at the cursor, the cursor does not move.
template <typename Enum, int Count>
bool read_word(TextCursor& cursor, const char* const (&words)[Count], Enum& found) {
  const std::size_t end = cursor.word_end();
  for (int i = 0; i < Count; ++i) {
    if (cursor.has_word(end, words[i])) {
      found = static_cast<Enum>(i);
      cursor.at = end;
      return true;
    }
  }
  return false;
}

bool read_auto(TextCursor& cursor) {
  const std::size_t end = cursor.word_end();
  const bool is_auto = cursor.has_word(end, kAutoWord);
  cursor.at = is_auto ? end : cursor.at;
  return is_auto;
}

bool is_at_runtimes_kind(const TextCursor& cursor) {
  const std::size_t end = cursor.word_end();
  return cursor.has_word(end, "static") || cursor.has_word(end, "dynamic") ||
         cursor.has_word(end, "guided");
}

// No option begins with a digit.
bool is_at_decimal_comma(TextCursor cursor) {
  const bool is_comma = cursor.is_at(',');
  ++cursor.at;
  return is_comma && cursor.is_at_digit();
}

// Reads a number from 0 to 1, with four digits after the point. Later digits matter only if they
// make the number larger than 1, which is an error.
bool read_part(TextCursor& cursor, const char* expected, int& part, Fault& fault) {
  const std::size_t begin = cursor.at;
  int value = 0;
  int unit = Schedule::kWhole;
  bool has_digits = false;
  bool has_rest = false;
  for (; cursor.is_at_digit() || (cursor.is_at('.') && unit == Schedule::kWhole); ++cursor.at) {
    if (cursor.is_at('.')) {
      unit /= 10;
      continue;
    }
    const int digit = cursor.text[cursor.at] - '0';
    has_digits = true;
    has_rest = has_rest || (unit == 0 && digit != 0);
    // A number above 1 need not be exact.
    value = unit == Schedule::kWhole ? (value > 0 ? 2 * unit : digit * unit) : value + digit * unit;
    unit = unit == Schedule::kWhole ? unit : unit / 10;
  }
  const bool is_above = value > Schedule::kWhole || (value == Schedule::kWhole && has_rest);
  if (!has_digits || is_above) {
    return fail(fault, Error::kBadFraction, begin, expected);
  }
  if (is_at_decimal_comma(cursor)) {
    return fail(fault, Error::kBadFraction, cursor.at, kExpectedPoint);
  }
  part = value;
  return true;
}

bool read_fraction(TextCursor& cursor, int& fraction, Fault& fault) {
  if (read_auto(cursor)) {
    fraction = Schedule::kAuto;
    return true;
  }
  return read_part(cursor, kExpectedFraction, fraction, fault);
}

bool read_blocks(TextCursor& cursor, Schedule& schedule, Fault& fault) {
  const std::size_t begin = cursor.at;
  const std::uint64_t number = cursor.take_decimal(kMaxChunk);
  if (number < std::uint64_t{kFewestBlocks} || number > std::uint64_t{kMostBlocks}) {
    return fail(fault, Error::kBadCount, begin, kExpectedBlocks);
  }
  schedule.blocks = static_cast<int>(number);
  return true;
}

bool read_every(TextCursor& cursor, Schedule& schedule, Fault& fault) {
  const std::size_t begin = cursor.at;
  if (read_auto(cursor)) {
    schedule.every = 0;
    return true;
  }
  schedule.every = cursor.take_decimal(kMaxChunk);
  return (schedule.every > 0 && schedule.every <= kMaxEvery) ||
         fail(fault, Error::kBadCount, begin, kExpectedEvery);
}

bool read_chunk(TextCursor& cursor, Schedule& schedule, Fault& fault) {
  const std::size_t begin = cursor.at;
  if (read_auto(cursor)) {
    schedule.chunk = 0;
    return true;
  }
  const std::uint64_t number = cursor.take_decimal(kMaxChunk);
  if (number == 0 || number > kMaxChunk) {
    return fail(fault, Error::kBadChunk, begin, number == 0 ? kExpectedChunk : kExpectedSmaller);
  }
  schedule.chunk = number;
  return true;
}

template <typename Enum, int Count>
bool read_value(TextCursor& cursor, const char* const (&words)[Count], const Text& expected,
                Enum& found, Fault& fault) {
  return read_word(cursor, words, found) || fail(fault, Error::kBadWord, cursor.at, expected.bytes);
}

bool read_value_of(Option option, TextCursor& cursor, Schedule& schedule, Fault& fault) {
  switch (option) {
    case Option::kFraction:
      return read_fraction(cursor, schedule.fraction, fault);
    case Option::kChunk:
      return read_chunk(cursor, schedule, fault);
    case Option::kQueue:
      return read_value(cursor, kSharingWords, kExpectedSharing, schedule.sharing, fault);
    case Option::kWeights:
      return read_value(cursor, kWeightWords, kExpectedWeights, schedule.weights, fault);
    case Option::kBlocks:
      return read_blocks(cursor, schedule, fault);
    case Option::kEvery:
      return read_every(cursor, schedule, fault);
    case Option::kSteal:
      return read_part(cursor, kExpectedPart, schedule.steal, fault);
    case Option::kAlpha:
      return read_fraction(cursor, schedule.alpha, fault);
    case Option::kLoops:
      return read_value(cursor, kTakenWords, kExpectedTaken, schedule.taken, fault);
    case Option::kTaper:
      break;
  }
  schedule.taper = true;
  return true;
}

bool read_equals(TextCursor& cursor, Fault& fault) {
  cursor.skip_blanks();
  if (!cursor.is_at('=')) {
    return fail(fault, Error::kBadSeparator, cursor.at, kExpectedEquals);
  }
  ++cursor.at;
  cursor.skip_blanks();
  return true;
}

// `given` has one bit for each option that was read before.
bool read_option(TextCursor& cursor, unsigned& given, Schedule& schedule, Fault& fault) {
  const std::size_t begin = cursor.at;
  const std::size_t end = cursor.word_end();
  int number = 0;
  while (number < kOptions && !(kOptionWords[number].is_of(schedule.kind) &&
                                cursor.has_word(end, kOptionWords[number].word))) {
    ++number;
  }
  if (number == kOptions) {
    const bool is_hybrid = schedule.kind == Kind::kHybrid;
    return fail(fault, Error::kBadOption, begin,
                is_hybrid ? kExpectedOfHybrid.bytes : kExpectedOfBalanced.bytes);
  }
  if ((given >> number & 1U) != 0) {
    return fail(fault, Error::kTwice, begin, kExpectedOnce);
  }
  given |= 1U << number;
  cursor.at = end;
  return (!kOptionWords[number].has_value || read_equals(cursor, fault)) &&
         read_value_of(static_cast<Option>(number), cursor, schedule, fault);
}

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

bool parse(std::string_view text, Schedule& schedule, Fault& fault) {
  TextCursor cursor{text.data(), text.size()};
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return fail(fault, Error::kEmpty, cursor.at, kExpectedKind.bytes);
  }
  Schedule read;
  if (!read_word(cursor, kKindWords, read.kind)) {
    return fail(fault, Error::kBadKind, cursor.at,
                is_at_runtimes_kind(cursor) ? kExpectedKindOfOurs : kExpectedKind.bytes);
  }
  for (unsigned given = 0;;) {
    cursor.skip_blanks();
    if (cursor.at_end()) {
      schedule = read;
      return true;
    }
    const bool has_options = read.kind != Kind::kNative;
    if (!has_options || !cursor.is_at(',')) {
      return fail(fault, Error::kBadSeparator, cursor.at,
                  has_options ? kExpectedCommaOrEnd : kExpectedEnd);
    }
    ++cursor.at;
    cursor.skip_blanks();
    if (!read_option(cursor, given, read, fault)) {
      return false;
    }
  }
}

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

const char* meaning(Error error) {
  const auto number = static_cast<unsigned>(error);
  return number < kErrors ? kMeanings[number] : "unknown error";
}

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, meaning(fault.error), fault.expected, buffer,
                           size);
}

}  // namespace nestbind::loops
