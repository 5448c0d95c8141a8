// SPDX-License-Identifier: BSD-3-Clause
#include "cli/balance/objects_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace nestbind::cli::balance {

namespace {

using Json = nlohmann::json;

constexpr const char* kSuch = R"({"load": [4, 1, 1, 2]})";
constexpr const char* kExpectedAmount = "expected a number from 0 to 1e15";
constexpr std::size_t kMostObjects = 10'000'000;
constexpr int kMost = std::numeric_limits<int>::max();
constexpr const char* kKeys[] = {"load", "slot", "home", "home_messages", "messages"};
enum Key : int { kLoad, kSlot, kHome, kHomeMessages, kMessages, kKeyCount };

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string place_of(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte, text.size());
  const auto begin = text.begin();
  const auto here = begin + static_cast<std::ptrdiff_t>(end);
  const auto lines = std::count(begin, here, '\n');
  const std::size_t before = text.substr(0, end).rfind('\n');
  const std::size_t column = before == std::string::npos ? end : end - before - 1;
  return fmt::format("line {}, column {}", lines + 1, std::max<std::size_t>(column, 1));
}

struct Number {
  double amount;
  bool is_whole;  // the amount is a whole number that fits into `whole`
  std::int64_t whole;
};

bool is_amount(const Number* number) {
  return number != nullptr && number->amount >= 0 && number->amount <= nestbind::balance::kLargest;
}

bool is_whole_number(const Number* number, int least) {
  return number != nullptr && number->is_whole && number->whole >= least && number->whole < kMost;
}

[[noreturn]] void throw_no_whole_number(const std::string& where, int least, int end) {
  throw Fault(fmt::format("{}: expected a whole number from {} to {}", where, least, end - 1));
}

struct Message {
  int from;
  int to;
  double count;
};

// Uses each value as soon as it is read: a JSON tree would be 16 times larger than the text.
class Reader : public nlohmann::json_sax<Json> {
 public:
  Reader(const std::string& text, ObjectsFile& file) : text_(text), file_(file) {}

  bool null() override { return take(nullptr); }
  bool boolean(bool) override { return take(nullptr); }
  bool string(string_t&) override { return take(nullptr); }
  bool binary(binary_t&) override { return take(nullptr); }
  bool number_integer(number_integer_t value) override {
    return take_number({static_cast<double>(value), true, value});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take_number({static_cast<double>(value), value <= kMost,
                        static_cast<std::int64_t>(std::min<std::uint64_t>(value, kMost))});
  }
  bool number_float(number_float_t value, const string_t&) override {
    return take_number({value, false, 0});
  }

  bool start_object(std::size_t) override {
    if (depth_ > 0) {
      return take(nullptr);
    }
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    const auto* const found = std::ranges::find(kKeys, std::string_view(name));
    if (found == std::end(kKeys)) {
      throw Fault(fmt::format(
          "\"{}\": unknown, expected load, slot, home, home_messages or messages", name));
    }
    key_ = static_cast<Key>(found - kKeys);
    if (is_there_[key_]) {
      throw Fault(fmt::format("\"{}\" occurs twice, expected each key once", name));
    }
    is_there_[key_] = true;
    return true;
  }
  bool end_object() override { return true; }

  bool start_array(std::size_t) override {
    const bool is_list = depth_ == 1;
    const bool is_message = depth_ == 2 && key_ == kMessages;
    if (!is_list && !is_message) {
      return take(nullptr);
    }
    if (is_message) {
      check_room(kMost);
      parts_ = 0;
      message_ = {0, 0, 1};
    }
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    if (depth_ == 2) {
      if (parts_ < 2) {
        throw_no_message();
      }
      messages_.push_back(message_);
    }
    return true;
  }

  // Called by the parser, also for a number that is too large for a double.
  bool parse_error(std::size_t byte, const std::string& token,
                   const Json::exception& error) override {
    if (dynamic_cast<const Json::parse_error*>(&error) != nullptr) {
      throw Fault(fmt::format("{}: this is not JSON; expected text such as {}",
                              place_of(text_, byte), kSuch));
    }
    const std::size_t begin = byte - std::min(byte, token.size()) + 1;
    throw Fault(fmt::format("{}: {}", place_of(text_, begin), kExpectedAmount));
  }

  void finish() {
    if (!is_there_[kLoad]) {
      throw_no_objects();
    }
    const std::size_t objects = file_.load.size();
    check_size(kHomeMessages, file_.home_messages.size(), objects);
    check_size(kSlot, file_.slot.size(), objects);
    check_size(kHome, file_.home.size(), objects);
    if (is_there_[kMessages]) {
      finish_messages();
    }
  }

 private:
  std::string name() const { return fmt::format("\"{}\"", kKeys[key_]); }

  std::size_t count() const {
    const std::size_t counts[kKeyCount] = {file_.load.size(), file_.slot.size(), file_.home.size(),
                                           file_.home_messages.size(), messages_.size()};
    return counts[key_];
  }
  std::string where() const { return fmt::format("{}[{}]", name(), count()); }

  [[noreturn]] static void throw_no_objects() {
    throw Fault(fmt::format("expected an object with the key \"load\", such as {}", kSuch));
  }
  [[noreturn]] void throw_no_message() const {
    throw Fault(where() + ": expected [sender, receiver, count] or [sender, receiver]");
  }
  [[noreturn]] void throw_no_list() const {
    const bool is_messages = key_ == kMessages;
    throw Fault(fmt::format("{}: expected a list of {}, at most {}", name(),
                            is_messages ? "[sender, receiver, count]" : "numbers",
                            is_messages ? std::size_t{kMost} : kMostObjects));
  }
  void check_room(std::size_t most) const {
    if (count() >= most) {
      throw_no_list();
    }
  }

  bool take_number(const Number& number) { return take(&number); }

  bool take(const Number* number) {
    if (depth_ == 0) {
      throw_no_objects();
    }
    if (depth_ == 1) {
      throw_no_list();
    }
    if (key_ == kMessages) {
      take_part(number);
      return true;
    }
    check_room(kMostObjects);
    if (key_ == kLoad || key_ == kHomeMessages) {
      (key_ == kLoad ? file_.load : file_.home_messages).push_back(amount_of(number, ""));
    } else if (key_ == kSlot) {
      file_.slot.push_back(whole_number_of(number, 0, ""));
    } else {
      file_.home.push_back(whole_number_of(number, -1, ""));
    }
    return true;
  }

  // where() is slow: it is called only for a fault.
  double amount_of(const Number* number, const char* part) const {
    if (!is_amount(number)) {
      throw Fault(where() + part + ": " + kExpectedAmount);
    }
    return number->amount;
  }
  int whole_number_of(const Number* number, int least, const char* part) const {
    if (!is_whole_number(number, least)) {
      throw_no_whole_number(where() + part, least, kMost);
    }
    return static_cast<int>(number->whole);
  }

  void take_part(const Number* number) {
    if (depth_ == 2 || parts_ > 2) {
      throw_no_message();
    }
    if (parts_ == 0) {
      message_.from = whole_number_of(number, 0, "[0]");
    } else if (parts_ == 1) {
      message_.to = whole_number_of(number, 0, "[1]");
    } else {
      message_.count = amount_of(number, "[2]");
    }
    ++parts_;
  }

  void check_size(Key key, std::size_t values, std::size_t objects) const {
    if (is_there_[key] && values != objects) {
      throw Fault(fmt::format("\"{}\": {} values, expected one for each of {} objects", kKeys[key],
                              values, objects));
    }
  }

  // Each sender's messages keep the file's order.
  void finish_messages() {
    const auto objects = static_cast<int>(file_.load.size());
    file_.first.assign(file_.load.size() + 1, 0);
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const auto& [from, to, count] = messages_[i];
      if (from >= objects || to >= objects) {
        throw_no_whole_number(fmt::format("\"messages\"[{}][{}]", i, from >= objects ? 0 : 1), 0,
                              objects);
      }
      ++file_.first[static_cast<std::size_t>(from) + 1];
    }
    for (std::size_t i = 1; i < file_.first.size(); ++i) {
      file_.first[i] += file_.first[i - 1];
    }
    file_.other.resize(messages_.size());
    file_.messages.resize(messages_.size());
    std::vector<int> next(file_.first.begin(), file_.first.end() - 1);
    for (const auto& [from, to, count] : messages_) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
      file_.other[place] = to;
      file_.messages[place] = count;
    }
  }

  const std::string& text_;
  ObjectsFile& file_;
  int depth_ = 0;
  Key key_ = kLoad;
  bool is_there_[kKeyCount] = {};
  std::vector<Message> messages_;
  Message message_{};
  int parts_ = 0;
};

template <typename List>
auto start_of(const List& list) {
  return list.empty() ? nullptr : list.data();
}

}  // namespace

nestbind::balance::Objects ObjectsFile::view() const {
  return {static_cast<int>(load.size()),
          start_of(load),
          start_of(first),
          start_of(other),
          start_of(messages),
          start_of(home),
          start_of(home_messages)};
}

std::string parse(const std::string& text, ObjectsFile& file) {
  try {
    Reader reader(text, file);
    Json::sax_parse(text, &reader);
    reader.finish();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace nestbind::cli::balance
