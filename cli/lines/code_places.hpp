// SPDX-License-Identifier: BSD-3-Clause
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
  std::size_t begin = 0;
  source::Place place;
};

// Finds "FUNCTION+0xHEX, FILE+0xHEX" or "FILE+0xHEX" at a line's end, after two blanks. Not set if
// FILE is "?".
std::optional<PlaceInLine> find_place(std::string_view line);

// Returns "FUNCTION, FILE:LINE, inlined in FUNCTION, FILE:LINE", the innermost function first.
std::string in_words(const std::vector<source::Frame>& frames);

// Missing parts are empty.
source::Place place_in_json(const nlohmann::ordered_json& object);

// Returns an array of objects {"function", "file", "line"}.
nlohmann::ordered_json json_of_frames(const std::vector<source::Frame>& frames);

}  // namespace nestbind::cli
