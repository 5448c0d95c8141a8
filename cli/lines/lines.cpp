// SPDX-License-Identifier: BSD-3-Clause
// nestbind lines: prints a report with source lines in place of addresses.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/common/say.hpp"
#include "cli/lines/code_places.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

namespace {

struct LinesOptions {
  std::string file;
};

using Json = nlohmann::ordered_json;

class Filter {
 public:
  std::string shown(const std::string& line) {
    if (line.starts_with("{")) {
      Json value = Json::parse(line, nullptr, false);
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
    if (!found.fault.empty()) {
      say("{}: {}", place.module, found.fault);
    }
    return std::move(found.frames);
  }

  // Returns whether a line was added.
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
    const source::Place place = place_in_json(object);
    if (place.module.empty() || place.address == 0) {
      return false;
    }
    Json frames = json_of_frames(frames_of(place));
    if (frames.empty()) {
      return false;
    }
    object["source"] = std::move(frames);
    return true;
  }

  source::Lines lines_;
};

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
    say("no source lines: {}; addr2line -Cfie FILE ADDRESS may find them", missing);
  }
  std::string line;
  while (file.peek() != '\0' && std::getline(file, line) && line.find('\0') == line.npos) {
    fmt::print("{}\n", filter.shown(line));
  }
  if (file.bad() || !file.eof()) {
    say("{}: cannot be read as a text", is_input ? "standard input" : options.file);
    return kFailure;
  }
  return missing.empty() ? kSuccess : kFailure;
}

}  // namespace

void add_lines(CLI::App& app, Call& call) {
  const auto options = std::make_shared<LinesOptions>();
  CLI::App& command = *app.add_subcommand("lines", "Show a report with source lines");
  add_option(command, "FILE", "", options->file, "The report; by default the standard input");
  add_examples(command,
               {"nestbind lines report.txt", "the report, with source lines for its loops"},
               {"nestbind lines report.txt | grep solve.c", "the loops of one file"});
  command.callback([&call, options] { call.status = lines_command(*options); });
}

}  // namespace nestbind::cli
