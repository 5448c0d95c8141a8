// SPDX-License-Identifier: BSD-3-Clause
#include "memory/wish/wish.hpp"

#include <cstring>
#include <utility>

#include "support/caret.hpp"
#include "support/text_cursor.hpp"

namespace nestbind::memory {

namespace {

using support::TextCursor;

constexpr char kExpectedWord[] = "advise or apply";
constexpr char kExpectedOption[] = "min, seconds or json";
constexpr char kExpectedSize[] = "a size such as 64M, from 4K to 1024G";
constexpr char kExpectedSeconds[] = "a number from 1 to 1000000";
constexpr char kExpectedMore[] = "',', ':' and a file, or the end";
constexpr char kExpectedEquals[] = "'='";
constexpr char kExpectedFile[] = "the name of a file";
constexpr char kExpectedOnce[] = "each option once";

// Indexed by WishError.
constexpr const char* kMeanings[] = {"no error",
                                     "empty wish",
                                     "unknown word",
                                     "missing or unknown option",
                                     "option given twice",
                                     "not a size",
                                     "not a number of seconds",
                                     "missing separator",
                                     "no file"};

bool fail(WishFault& fault, WishError error, std::size_t position, const char* expected) {
  fault = {error, position, expected};
  return false;
}

bool take_word(TextCursor& cursor, const char* word) {
  const std::size_t end = cursor.word_end();
  if (!cursor.has_word(end, word)) {
    return false;
  }
  cursor.at = end;
  return true;
}

// A number, and a letter for its unit.
bool read_size(TextCursor& cursor, std::uint64_t& bytes, WishFault& fault) {
  constexpr std::uint64_t kLeast = std::uint64_t{4} << 10;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  cursor.skip_blanks();
  const std::size_t begin = cursor.at;
  const std::uint64_t number = cursor.take_decimal(kMost);
  unsigned shift = 0;
  for (const auto& [word, bits] : {std::pair{"k", 10U}, {"m", 20U}, {"g", 30U}}) {
    if (shift == 0 && take_word(cursor, word)) {
      shift = bits;
    }
  }
  const bool is_good = number <= kMost >> shift && number << shift >= kLeast;
  bytes = number << shift;
  return is_good && !cursor.is_in_word() ? true
                                         : fail(fault, WishError::kBadSize, begin, kExpectedSize);
}

int read_number(TextCursor& cursor, int most) {
  return static_cast<int>(cursor.take_decimal(static_cast<std::uint64_t>(most)));
}

bool read_seconds(TextCursor& cursor, int& seconds, WishFault& fault) {
  constexpr int kMost = 1000000;
  cursor.skip_blanks();
  const std::size_t begin = cursor.at;
  seconds = read_number(cursor, kMost);
  return seconds >= 1 && seconds <= kMost && !cursor.is_in_word()
             ? true
             : fail(fault, WishError::kBadSeconds, begin, kExpectedSeconds);
}

enum Option { kMin, kJson, kSeconds, kOptions };
constexpr const char* kOptionWords[kOptions] = {"min", "json", "seconds"};

// Reads what follows an option's word; true if nothing does.
bool read_value(TextCursor& cursor, int option, Wish& wish, WishFault& fault) {
  if (option == kJson) {
    wish.is_json = true;
    return true;
  }
  cursor.skip_blanks();
  if (!cursor.is_at('=')) {
    return fail(fault, WishError::kBadSeparator, cursor.at, kExpectedEquals);
  }
  ++cursor.at;
  return option == kMin ? read_size(cursor, wish.least, fault)
                        : read_seconds(cursor, wish.seconds, fault);
}

// given: one bit for each option that was read before.
bool read_option(TextCursor& cursor, unsigned& given, Wish& wish, WishFault& fault) {
  cursor.skip_blanks();
  const std::size_t begin = cursor.at;
  int option = 0;
  while (option < kOptions && !take_word(cursor, kOptionWords[option])) {
    ++option;
  }
  if (option == kOptions) {
    return fail(fault, WishError::kBadOption, begin, kExpectedOption);
  }
  if ((given >> option & 1U) != 0) {
    return fail(fault, WishError::kTwice, begin, kExpectedOnce);
  }
  given |= 1U << option;
  return read_value(cursor, option, wish, fault);
}

}  // namespace

bool parse(const char* text, Wish& wish, WishFault& fault) {
  TextCursor cursor{text, std::strlen(text)};
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return fail(fault, WishError::kEmpty, cursor.at, kExpectedWord);
  }
  Wish read;
  read.is_apply = take_word(cursor, "apply");
  if (!read.is_apply && !take_word(cursor, "advise")) {
    return fail(fault, WishError::kBadWord, cursor.at, kExpectedWord);
  }
  for (unsigned given = 0;;) {
    cursor.skip_blanks();
    if (cursor.at_end()) {
      wish = read;
      return true;
    }
    const bool is_file = cursor.is_at(':');
    if (!is_file && !cursor.is_at(',')) {
      return fail(fault, WishError::kBadSeparator, cursor.at, kExpectedMore);
    }
    ++cursor.at;
    if (is_file) {
      if (cursor.at_end()) {
        return fail(fault, WishError::kNoFile, cursor.at, kExpectedFile);
      }
      read.file = text + cursor.at;
      wish = read;
      return true;
    }
    if (!read_option(cursor, given, read, fault)) {
      return false;
    }
  }
}

std::size_t describe(std::string_view text, const WishFault& fault, char* buffer,
                     std::size_t size) {
  return support::describe(text, fault.position, kMeanings[static_cast<unsigned>(fault.error)],
                           fault.expected, buffer, size);
}

}  // namespace nestbind::memory
