// SPDX-License-Identifier: BSD-3-Clause
// The places of code in a report's lines, as lib/preload/observe/loops_report.cpp writes them, and
// in a report's JSON. Pure.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/source/source_lines.hpp"

namespace nestbind::cli {

struct PlaceInLine {
  std::size_t begin = 0;  // it goes from there to the line's end
  source::Place place;
};

// "FUNCTION+0xHEX, FILE+0xHEX" or "FILE+0xHEX" at the end of a line of text, two blanks after what
// is before it. Nothing where there is none, or no file is known.
std::optional<PlaceInLine> find_place(std::string_view line);

// "FUNCTION, FILE:LINE, inlined in FUNCTION, FILE:LINE": the innermost first.
std::string in_words(const std::vector<source::Frame>& frames);

// Of an object of JSON that has a place of code; what it has not is empty.
source::Place place_in_json(const nlohmann::ordered_json& object);
std::string text_in_json(const nlohmann::ordered_json& object, const char* key);
std::uint64_t number_in_json(const nlohmann::ordered_json& object, const char* key);

// [{"function", "file", "line"}]
nlohmann::ordered_json json_of_frames(const std::vector<source::Frame>& frames);

}  // namespace nestbind::cli
