// SPDX-License-Identifier: BSD-3-Clause
#include "cli/lines/code_places.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace nestbind::cli {

namespace {

constexpr std::string_view kPlus = "+0x";

bool read_offset(std::string_view text, std::string& name, std::uint64_t& offset) {
  const std::size_t plus = text.rfind(kPlus);
  if (plus == std::string_view::npos || plus == 0) {
    return false;
  }
  name = text.substr(0, plus);
  const std::string digits(text.substr(plus + kPlus.size()));
  const char* end = digits.c_str() + digits.size();
  const auto [read_to, error] = std::from_chars(digits.c_str(), end, offset, 16);
  return error == std::errc() && read_to == end;
}

bool read_place(std::string_view text, source::Place& place) {
  // The name of a function contains no blank. The name of a file may contain any character.
  constexpr std::string_view kBetween = ", ";
  const std::size_t between = text.find(kBetween);
  if (between != std::string_view::npos && text.find(' ') > between &&
      read_offset(text.substr(0, between), place.function, place.in_function) &&
      read_offset(text.substr(between + kBetween.size()), place.module, place.address)) {
    return true;
  }
  place = {};
  return read_offset(text, place.module, place.address);
}

bool is_figure(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  return word.find_first_not_of("0123456789.-") == std::string_view::npos;
}

std::string text_in_json(const nlohmann::ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

std::uint64_t number_in_json(const nlohmann::ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number_unsigned() ? object[key].get<std::uint64_t>()
                                                                  : 0;
}

}  // namespace

std::optional<PlaceInLine> find_place(std::string_view line) {
  constexpr std::string_view kBefore = "  ";
  for (std::size_t at = line.find(kBefore); at != std::string_view::npos;
       at = line.find(kBefore, at + 1)) {
    PlaceInLine found;
    found.begin = at + kBefore.size();
    const std::string_view text = line.substr(found.begin);
    if (text.empty() || text[0] == ' ' || is_figure(text)) {
      continue;
    }
    constexpr std::string_view kUnknown = "?";
    if (read_place(text, found.place) && found.place.module != kUnknown) {
      return found;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::string in_words(const std::vector<source::Frame>& frames) {
  std::string text;
  for (const source::Frame& frame : frames) {
    text += text.empty() ? "" : ", inlined in ";
    text += frame.function.empty() ? "" : frame.function + ", ";
    text += fmt::format("{}:{}", frame.file, frame.line);
  }
  return text;
}

source::Place place_in_json(const nlohmann::ordered_json& object) {
  return {.module = text_in_json(object, "module"),
          .address = number_in_json(object, "in_module"),
          .function = text_in_json(object, "function"),
          .in_function = number_in_json(object, "in_function"),
          .build_id = text_in_json(object, "build_id")};
}

nlohmann::ordered_json json_of_frames(const std::vector<source::Frame>& frames) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const source::Frame& frame : frames) {
    list.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
  }
  return list;
}

}  // namespace nestbind::cli
