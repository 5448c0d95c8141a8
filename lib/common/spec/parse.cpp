// SPDX-License-Identifier: BSD-3-Clause
// One function for each rule of the grammar (nestbind-spec(7)).
#include "spec/spec.hpp"
#include "spec/words.hpp"
#include "support/text_cursor.hpp"

namespace nestbind::spec {
namespace {

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

}  // namespace nestbind::spec
