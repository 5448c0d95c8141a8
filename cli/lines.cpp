// SPDX-License-Identifier: BSD-3-Clause
#include "cli/lines.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/code_places.hpp"
#include "cli/message.hpp"

namespace nestbind::cli {

namespace {

using Json = nlohmann::ordered_json;

// Longer than every line of a report; a file without lines would fill the memory.
constexpr std::size_t kMaxLine = std::size_t{1} << 26;

class Filter {
 public:
  // What is to be shown for a line of the report.
  std::string shown(const std::string& line) {
    if (line.starts_with("{")) {
      Json value = Json::parse(line, nullptr, false);
      // As it is, unless something is added.
      if (!value.is_discarded() && add_lines(value)) {
        return value.dump(-1, ' ', false, Json::error_handler_t::replace);
      }
      return printable(line);
    }
    const std::optional<PlaceInLine> place = find_place(line);
    if (!place) {
      return printable(line);
    }
    const std::vector<source::Frame> frames = frames_of(place->place);
    return printable(frames.empty() ? line : line.substr(0, place->begin) + in_words(frames));
  }

  const source::Lines& lines() const { return lines_; }

 private:
  std::vector<source::Frame> frames_of(const source::Place& place) {
    source::Found found = lines_.find(place);
    if (!found.fault.empty() && told_.insert(place.module + found.fault).second) {
      say("{}: {}", place.module, found.fault);
    }
    return std::move(found.frames);
  }

  // Whether there is something in it for which lines are known.
  bool add_lines(Json& value) {
    bool is_added = value.is_object() && add_lines_of(value);
    if (value.is_structured()) {
      for (Json& part : value) {
        is_added = add_lines(part) || is_added;
      }
    }
    return is_added;
  }

  bool add_lines_of(Json& object) {
    const auto text = [&](const char* key) {
      return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
    };
    const auto number = [&](const char* key) {
      return object.contains(key) && object[key].is_number_unsigned()
                 ? object[key].get<std::uint64_t>()
                 : 0;
    };
    const source::Place place{.module = text("module"),
                              .address = number("in_module"),
                              .function = text("function"),
                              .in_function = number("in_function"),
                              .build_id = text("build_id")};
    if (place.module.empty() || place.address == 0) {
      return false;
    }
    Json frames = Json::array();
    for (const source::Frame& frame : frames_of(place)) {
      frames.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
    }
    if (frames.empty()) {
      return false;
    }
    object["source"] = std::move(frames);
    return true;
  }

  source::Lines lines_;
  std::set<std::string> told_;
};

// The next line, without its end. Returns false at the end, and where it is too long.
bool next_line(std::istream& file, std::string& line) {
  line.clear();
  char c = 0;
  while (file.get(c) && c != '\n') {
    if (line.size() == kMaxLine) {
      file.setstate(std::ios::badbit);
      return false;
    }
    line.push_back(c);
  }
  return !line.empty() || c == '\n';
}

}  // namespace

int lines_command(const LinesOptions& options) {
  const bool is_input = options.file.empty() || options.file == "-";
  std::ifstream opened;
  if (!is_input) {
    opened.open(options.file);
  }
  std::istream& file = is_input ? std::cin : opened;
  if (!file) {
    say("{}: {}", options.file, std::strerror(errno));
    return kFailure;
  }
  Filter filter;
  const std::string missing = filter.lines().missing();
  if (!missing.empty()) {
    say("no source lines can be told: {}; addr2line -Cfie FILE ADDRESS tells them", missing);
  }
  std::string line;
  while (next_line(file, line)) {
    fmt::print("{}\n", filter.shown(line));
  }
  if (file.bad()) {
    say("{}: cannot be read", is_input ? "standard input" : options.file);
  }
  return missing.empty() && !file.bad() ? kSuccess : kFailure;
}

}  // namespace nestbind::cli
