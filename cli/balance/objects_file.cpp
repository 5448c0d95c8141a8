// SPDX-License-Identifier: BSD-3-Clause
#include "cli/balance/objects_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace nestbind::cli::balance {

namespace {

using Json = nlohmann::json;

constexpr const char* kSuch = R"({"load": [4, 1, 1, 2]})";
constexpr int kMostObjects = 10'000'000;
constexpr const char* kKeys[] = {"load", "slot", "home", "home_messages", "messages"};

// What is wrong, and in which part of the text.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string at(const std::string& where, std::size_t index) {
  return fmt::format("{}[{}]", where, index);
}

double read_amount(const Json& value, const std::string& where) {
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= nestbind::balance::kLargest)) {
    throw Fault(where + ": expected a number from 0 to 1e15");
  }
  return number;
}

// From `least` on, below `end`.
int read_whole_number(const Json& value, const std::string& where, int least, int end) {
  const bool fits =
      value.is_number_integer() && (!value.is_number_unsigned() ||
                                    value.get<std::uint64_t>() <= std::numeric_limits<int>::max());
  const std::int64_t number = fits ? value.get<std::int64_t>() : std::int64_t{least} - 1;
  if (number < least || number >= end) {
    throw Fault(fmt::format("{}: expected a whole number from {} to {}", where, least, end - 1));
  }
  return static_cast<int>(number);
}

const Json& read_list(const Json& value, const std::string& where, const char* of,
                      std::size_t most) {
  if (!value.is_array() || value.size() > most) {
    throw Fault(fmt::format("{}: expected a list of {}, at most {}", where, of, most));
  }
  return value;
}

// A value for each object; nothing where the key is not there.
template <typename Number, typename Read>
std::vector<Number> read_each(const Json& whole, const char* key, std::size_t objects, Read read) {
  std::vector<Number> numbers;
  if (!whole.contains(key)) {
    return numbers;
  }
  const std::string where = fmt::format("\"{}\"", key);
  const Json& list = read_list(whole[key], where, "numbers", kMostObjects);
  if (list.size() != objects) {
    throw Fault(fmt::format("{}: {} values, expected one for each of {} objects", where,
                            list.size(), objects));
  }
  numbers.reserve(objects);
  for (std::size_t i = 0; i < objects; ++i) {
    numbers.push_back(read(list[i], at(where, i)));
  }
  return numbers;
}

struct Message {
  int from;
  int to;
  double count;
};

Message read_message(const Json& value, const std::string& where, int objects) {
  constexpr std::size_t kParts = 3;
  if (!value.is_array() || value.size() < kParts - 1 || value.size() > kParts) {
    throw Fault(where + ": expected [sender, receiver, count] or [sender, receiver]");
  }
  return {read_whole_number(value[0], at(where, 0), 0, objects),
          read_whole_number(value[1], at(where, 1), 0, objects),
          value.size() < kParts ? 1 : read_amount(value[2], at(where, 2))};
}

// In compressed rows, those of each sender in their order.
void read_messages(const Json& list, ObjectsFile& file) {
  const auto objects = static_cast<int>(file.load.size());
  std::vector<Message> all;
  all.reserve(list.size());
  file.first.assign(file.load.size() + 1, 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.push_back(read_message(list[i], at("\"messages\"", i), objects));
    ++file.first[static_cast<std::size_t>(all.back().from) + 1];
  }
  for (std::size_t i = 1; i < file.first.size(); ++i) {
    file.first[i] += file.first[i - 1];
  }
  file.other.resize(all.size());
  file.messages.resize(all.size());
  std::vector<int> next(file.first.begin(), file.first.end() - 1);
  for (const auto& [from, to, count] : all) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
    file.other[place] = to;
    file.messages[place] = count;
  }
}

void read_objects(const Json& whole, ObjectsFile& file) {
  if (!whole.is_object() || !whole.contains("load")) {
    throw Fault(fmt::format("expected an object with the key \"load\", such as {}", kSuch));
  }
  const std::size_t objects = read_list(whole["load"], "\"load\"", "numbers", kMostObjects).size();
  constexpr int kMost = std::numeric_limits<int>::max();
  file.load = read_each<double>(whole, "load", objects, read_amount);
  file.home_messages = read_each<double>(whole, "home_messages", objects, read_amount);
  file.slot = read_each<int>(whole, "slot", objects, [](const Json& value, const auto& where) {
    return read_whole_number(value, where, 0, kMost);
  });
  file.home = read_each<int>(whole, "home", objects, [](const Json& value, const auto& where) {
    return read_whole_number(value, where, -1, kMost);
  });
  if (whole.contains("messages")) {
    read_messages(read_list(whole["messages"], "\"messages\"", "[sender, receiver, count]", kMost),
                  file);
  }
}

// Of keys that stand there twice JSON's readers take one, and say nothing.
void check_key(const std::string& key, std::vector<std::string>& seen) {
  if (std::ranges::find(kKeys, std::string_view(key)) == std::end(kKeys)) {
    throw Fault(
        fmt::format("\"{}\": unknown, expected load, slot, home, home_messages or messages", key));
  }
  if (std::ranges::find(seen, key) != seen.end()) {
    throw Fault(fmt::format("\"{}\": there twice, expected each key once", key));
  }
  seen.push_back(key);
}

Json read_json(const std::string& text) {
  std::vector<std::string> seen;
  return Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& part) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      check_key(part.get<std::string>(), seen);
    }
    return true;
  });
}

// Where a byte of a text is.
std::string place_of(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte, text.size());
  const auto begin = text.begin();
  const auto here = begin + static_cast<std::ptrdiff_t>(end);
  const auto lines = std::count(begin, here, '\n');
  const std::size_t before = text.substr(0, end).rfind('\n');
  const std::size_t column = before == std::string::npos ? end : end - before - 1;
  return fmt::format("line {}, column {}", lines + 1, std::max<std::size_t>(column, 1));
}

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
    read_objects(read_json(text), file);
  } catch (const Json::parse_error& fault) {
    return fmt::format("{}: no JSON, such as {}", place_of(text, fault.byte), kSuch);
  } catch (const Json::exception& fault) {  // a number that no double holds
    return fault.what();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace nestbind::cli::balance
