// SPDX-License-Identifier: BSD-3-Clause
#include "memory/wish/wish.hpp"

#include <set>
#include <utility>

#include "support/text_cursor.hpp"

namespace nestbind::memory {

namespace {

class Reader {
 public:
  Reader(const std::string& text, WishFault& fault)
      : cursor_{text.data(), text.size()}, text_(text), fault_(fault) {}

  bool read(Wish& wish) {
    cursor_.skip_blanks();
    if (cursor_.at_end()) {
      return fail(cursor_.at, "empty wish", kWord);
    }
    wish.is_apply = take("apply");
    if (!wish.is_apply && !take("advise")) {
      return fail(cursor_.at, "unknown word", kWord);
    }
    for (cursor_.skip_blanks(); !cursor_.at_end(); cursor_.skip_blanks()) {
      const bool is_file = cursor_.is_at(':');
      if (!is_file && !cursor_.is_at(',')) {
        return fail(cursor_.at, "missing separator", "',', ':' and a file, or the end");
      }
      ++cursor_.at;
      if (is_file) {
        wish.file = text_.substr(cursor_.at);
        return !wish.file.empty() || fail(cursor_.at, "no file", "the name of a file");
      }
      if (!read_option(wish)) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr char kWord[] = "advise or apply";
  enum class Option { kMin, kSeconds, kJson, kScan };
  static constexpr std::pair<const char*, Option> kOptions[] = {{"min", Option::kMin},
                                                                {"seconds", Option::kSeconds},
                                                                {"json", Option::kJson},
                                                                {"scan", Option::kScan}};

  bool fail(std::size_t position, const char* what, const char* expected) {
    fault_ = {position, what, expected};
    return false;
  }

  bool take(const char* word) {
    const std::size_t end = cursor_.word_end();
    const bool is_there = cursor_.has_word(end, word);
    cursor_.at = is_there ? end : cursor_.at;
    return is_there;
  }

  bool read_option(Wish& wish) {
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.at;
    for (const auto& [word, option] : kOptions) {
      if (take(word)) {
        return given_.insert(option).second ? read_value(option, wish)
                                            : fail(begin, "option given twice", "each option once");
      }
    }
    return fail(begin, "missing or unknown option", "min, seconds, json or scan");
  }

  bool read_value(Option option, Wish& wish) {
    if (option == Option::kJson) {
      return wish.is_json = true;
    }
    cursor_.skip_blanks();
    if (!cursor_.is_at('=')) {
      return fail(cursor_.at, "missing separator", "'='");
    }
    ++cursor_.at;
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.at;
    if (option == Option::kScan) {
      wish.is_scanned_fast = take("fast");
      return wish.is_scanned_fast || fail(begin, "unknown word", "fast");
    }
    if (option == Option::kSeconds) {
      constexpr std::uint64_t kMost = 1000000;
      wish.seconds = static_cast<int>(cursor_.take_decimal(kMost));
      return (wish.seconds >= 1 && wish.seconds <= static_cast<int>(kMost) &&
              !cursor_.is_in_word()) ||
             fail(begin, "not a number of seconds", "a number from 1 to 1000000");
    }
    return read_size(wish.least) ||
           fail(begin, "not a size", "a size such as 64M, from 4K to 1024G");
  }

  bool read_size(std::uint64_t& bytes) {
    constexpr std::uint64_t kLeast = std::uint64_t{4} << 10;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    const std::uint64_t number = cursor_.take_decimal(kMost);
    unsigned shift = 0;
    for (const auto& [word, bits] : {std::pair{"k", 10U}, {"m", 20U}, {"g", 30U}}) {
      shift = shift == 0 && take(word) ? bits : shift;
    }
    bytes = number << shift;
    return number <= kMost >> shift && bytes >= kLeast && !cursor_.is_in_word();
  }

  support::TextCursor cursor_;
  const std::string& text_;
  WishFault& fault_;
  std::set<Option> given_;
};

}  // namespace

bool parse(const std::string& text, Wish& wish, WishFault& fault) {
  Wish read;
  if (!Reader(text, fault).read(read)) {
    return false;
  }
  wish = read;
  return true;
}

std::string describe(const std::string& text, const WishFault& fault) {
  char message[1024];
  return {message, support::describe(text, fault.position, fault.what, fault.expected, message,
                                     sizeof message)};
}

}  // namespace nestbind::memory
