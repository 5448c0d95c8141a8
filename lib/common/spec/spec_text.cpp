// SPDX-License-Identifier: BSD-3-Clause
// One function for each rule of the grammar (nestbind-spec(7)).
#include <nestbind/nestbind.h>

#include <algorithm>

#include "spec/spec.hpp"
#include "support/text_cursor.hpp"
#include "support/text_writer.hpp"

namespace nestbind::spec {
namespace {

using support::listed;
using support::Text;
using support::Words;

constexpr char kOff[] = "off";
constexpr char kAuto[] = "auto";

constexpr Level kAutoLevels[] = {
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kScatter},
    {.object = Kind::kCore, .is_star = true, .strategy = Strategy::kSubcompact}};

// Indexed by Kind.
constexpr const char* kKindWords[kKinds] = {"pu", "core", "l2", "l3", "numa", "package", "board"};

struct StrategyWord {
  const char* word;
  bool takes_domain;
};
constexpr StrategyWord kStrategyWords[kStrategies] = {
    {"scatter", false}, {"compact", false}, {"subscatter", true}, {"subcompact", true}};

struct KindRange {
  Kind first;
  Kind last;
};
constexpr KindRange kSizes = {Kind::kPu, Kind::kPackage};
constexpr KindRange kDomains = {Kind::kL2, Kind::kBoard};

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

using Cursor = support::TextCursor;

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

constexpr char kExpectedSpec[] = "auto, off or SIZE,STRATEGY, for example 4,scatter";
constexpr Text kExpectedSize =
    listed("a team size: a positive integer, '*', ", words_of(kSizes), " or ");
constexpr char kExpectedPositive[] = "1 or more";
constexpr char kExpectedFewer[] = "at most " TEXT_OF(NESTBIND_MAX_THREADS);
constexpr char kExpectedFewerInAll[] =
    "at most " TEXT_OF(NESTBIND_MAX_THREADS) " as the product of all team sizes";
constexpr Text kExpectedStrategy = listed("", strategy_words(false), " or ");
constexpr Text kExpectedCommaStrategy = listed("',' and ", strategy_words(false), " or ");
constexpr Text kExpectedDomain = listed("", words_of(kDomains), " or ");
constexpr char kExpectedComma[] = "','";
constexpr char kExpectedCommaOrEnd[] = "',' or the end";
constexpr char kExpectedCommaOrDomain[] = "',', '@' or the end";
constexpr Text kExpectedNoDomain =
    listed("',' or the end: only ", strategy_words(true), " and ", " take a domain");
constexpr char kExpectedFewerLevels[] = "at most " TEXT_OF(NESTBIND_MAX_LEVELS);

#undef TEXT_OF
#undef TEXT_OF_EXPANDED

bool fail(Fault& fault, nestbind_error error, std::size_t position, const char* expected) {
  fault = {error, position, expected};
  return false;
}

bool fail(Fault& fault, nestbind_error error, std::size_t position, const Text& expected) {
  return fail(fault, error, position, expected.bytes);
}

template <typename Enum>
bool read_name(Cursor& cursor, Enum first, Enum last, Enum& found) {
  const std::size_t end = cursor.word_end();
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    if (cursor.has_word(end, name(static_cast<Enum>(i)))) {
      found = static_cast<Enum>(i);
      cursor.at = end;
      return true;
    }
  }
  return false;
}

// A symbolic size counts as 1 in the product `threads`.
bool read_size(Cursor& cursor, long& threads, Level& level, Fault& fault) {
  const std::size_t begin = cursor.at;
  if (cursor.is_at('-')) {
    ++cursor.at;
    return cursor.is_at_digit() ? fail(fault, NESTBIND_SIZE_NOT_POSITIVE, begin, kExpectedPositive)
                                : fail(fault, NESTBIND_BAD_SIZE, begin, kExpectedSize);
  }
  if (cursor.is_at('*')) {
    ++cursor.at;
    level.is_star = true;
    level.object = Kind::kCore;
    return true;
  }
  if (!cursor.is_at_digit()) {
    return read_name(cursor, kSizes.first, kSizes.last, level.object) ||
           fail(fault, NESTBIND_BAD_SIZE, begin, kExpectedSize);
  }
  const auto number = static_cast<long>(cursor.take_decimal(kMaxThreads));
  if (number == 0) {
    return fail(fault, NESTBIND_SIZE_NOT_POSITIVE, begin, kExpectedPositive);
  }
  if (number > kMaxThreads) {
    return fail(fault, NESTBIND_SIZE_TOO_LARGE, begin, kExpectedFewer);
  }
  if (threads > kMaxThreads / number) {
    return fail(fault, NESTBIND_SIZE_TOO_LARGE, begin, kExpectedFewerInAll);
  }
  threads *= number;
  level.size = static_cast<int>(number);
  return true;
}

bool read_comma(Cursor& cursor, Fault& fault) {
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return fail(fault, NESTBIND_BAD_STRATEGY, cursor.at, kExpectedCommaStrategy);
  }
  if (!cursor.is_at(',')) {
    return fail(fault, NESTBIND_BAD_SEPARATOR, cursor.at, kExpectedComma);
  }
  ++cursor.at;
  cursor.skip_blanks();
  return true;
}

bool read_domain(Cursor& cursor, Level& level, Fault& fault) {
  cursor.skip_blanks();
  if (!cursor.is_at('@')) {
    return true;
  }
  if (!takes_domain(level.strategy)) {
    return fail(fault, NESTBIND_DOMAIN_ON_PLAIN, cursor.at, kExpectedNoDomain);
  }
  ++cursor.at;
  cursor.skip_blanks();
  level.has_domain = true;
  return read_name(cursor, kDomains.first, kDomains.last, level.domain) ||
         fail(fault, NESTBIND_BAD_DOMAIN, cursor.at, kExpectedDomain);
}

bool read_level(Cursor& cursor, long& threads, Level& level, Fault& fault) {
  if (!read_size(cursor, threads, level, fault) || !read_comma(cursor, fault)) {
    return false;
  }
  if (!read_name(cursor, Strategy{}, Strategy{kStrategies - 1}, level.strategy)) {
    return fail(fault, NESTBIND_BAD_STRATEGY, cursor.at, kExpectedStrategy);
  }
  return read_domain(cursor, level, fault);
}

bool is_word_alone(const Cursor& cursor, const char* word) {
  Cursor end = cursor;
  end.at = cursor.word_end();
  const bool is_word = cursor.has_word(end.at, word);
  end.skip_blanks();
  return end.at_end() && is_word;
}

const char* expected_behind(const Level& level) {
  const bool may_have_domain = takes_domain(level.strategy) && !level.has_domain;
  return may_have_domain ? kExpectedCommaOrDomain : kExpectedCommaOrEnd;
}

struct Meaning {
  int error;
  const char* text;
};

constexpr Meaning kMeanings[] = {
    {NESTBIND_OK, "no error"},
    {NESTBIND_EMPTY, "empty specification"},
    {NESTBIND_BAD_SIZE, "not a team size"},
    {NESTBIND_SIZE_NOT_POSITIVE, "team size is not positive"},
    {NESTBIND_SIZE_TOO_LARGE, "too many threads"},
    {NESTBIND_BAD_STRATEGY, "missing or unknown strategy"},
    {NESTBIND_DOMAIN_ON_PLAIN, "domain on a plain strategy"},
    {NESTBIND_BAD_DOMAIN, "missing or unknown domain"},
    {NESTBIND_BAD_SEPARATOR, "missing comma"},
    {NESTBIND_TOO_MANY_LEVELS, "too many levels"},
    {NESTBIND_BAD_ARGUMENT, "null pointer, or an impossible number"},
    {NESTBIND_NO_MACHINE, "the machine could not be read"},
    {NESTBIND_NO_PLANNER, "libnestbind-planner.so could not be loaded"},
    {NESTBIND_NO_MEMORY, "out of memory"},
    {NESTBIND_NOT_PLACED, "the calling thread has no place"},
    {NESTBIND_BAD_SCHEDULE, "not a schedule of loops"},
    {NESTBIND_BAD_OPTION, "unknown or repeated option of a schedule"},
    {NESTBIND_BAD_VALUE, "not a value of this schedule option"},
    {NESTBIND_PARTLY_PLACED, "some pages are not on the node that they should be on"},
    {NESTBIND_NOT_MAPPED, "some of the range is no memory of this process"},
    {NESTBIND_NOT_PERMITTED, "the process is not permitted to find or move pages"},
    {NESTBIND_NO_MODULE, "libnestbind-memory.so could not be loaded"},
    {NESTBIND_TOO_LATE, "libnestbind was loaded after the OpenMP runtime or the C library"},
    {NESTBIND_TURNED_OFF, "the site has turned this off for everybody"},
};

}  // namespace

bool parse(std::string_view text, Spec& spec, Fault& fault) {
  Cursor cursor{text.data(), text.size()};
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return fail(fault, NESTBIND_EMPTY, cursor.at, kExpectedSpec);
  }
  Spec read;
  if (is_word_alone(cursor, kOff)) {
    spec = read;
    return true;
  }
  if (is_word_alone(cursor, kAuto)) {
    read.is_auto = true;
    for (const Level& level : kAutoLevels) {
      read.level[read.levels++] = level;
    }
    spec = read;
    return true;
  }
  for (long threads = 1;;) {
    if (read.levels == kMaxLevels && !cursor.at_end()) {
      return fail(fault, NESTBIND_TOO_MANY_LEVELS, cursor.at, kExpectedFewerLevels);
    }
    // If the text ends after a comma, read_level reports that the next level is missing.
    Level level;
    if (!read_level(cursor, threads, level, fault)) {
      return false;
    }
    read.level[read.levels++] = level;
    cursor.skip_blanks();
    if (cursor.at_end()) {
      spec = read;
      return true;
    }
    if (!cursor.is_at(',')) {
      return fail(fault, NESTBIND_BAD_SEPARATOR, cursor.at, expected_behind(level));
    }
    ++cursor.at;
    cursor.skip_blanks();
  }
}

const char* name(Kind kind) {
  const auto number = static_cast<unsigned>(kind);
  return number < kKinds ? kKindWords[number] : "?";
}

const char* name(Strategy strategy) {
  const auto number = static_cast<unsigned>(strategy);
  return number < kStrategies ? kStrategyWords[number].word : "?";
}

bool may_be_size(Kind kind) { return kSizes.first <= kind && kind <= kSizes.last; }

bool may_be_domain(Kind kind) { return kDomains.first <= kind && kind <= kDomains.last; }

bool takes_domain(Strategy strategy) {
  return kStrategyWords[static_cast<int>(strategy)].takes_domain;
}

bool Spec::operator==(const Spec& other) const {
  return is_auto == other.is_auto &&
         std::equal(level, level + levels, other.level, other.level + other.levels);
}

std::size_t print(const Spec& spec, char* buffer, std::size_t size) {
  support::TextWriter out(buffer, size);
  if (spec.is_off() || spec.is_auto) {
    out.put(spec.is_auto ? kAuto : kOff);
    return out.length();
  }
  for (int i = 0; i < spec.levels; ++i) {
    const Level& level = spec.level[i];
    if (i > 0) {
      out.put(',');
    }
    if (level.is_star) {
      out.put('*');
    } else if (level.size > 0) {
      out.put_number(static_cast<std::size_t>(level.size));
    } else {
      out.put(name(level.object));
    }
    out.put(',');
    out.put(name(level.strategy));
    if (level.has_domain) {
      out.put('@');
      out.put(name(level.domain));
    }
  }
  return out.length();
}

const char* strerror(int error) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.error == error) {
      return meaning.text;
    }
  }
  return "unknown error";
}

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, spec::strerror(fault.error), fault.expected,
                           buffer, size);
}

}  // namespace nestbind::spec
