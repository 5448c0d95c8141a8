// SPDX-License-Identifier: BSD-3-Clause
// What a watched process has written of its memory (nestbind-memory(1)), in words and with source
// lines. Pure but for the lines, which are asked for.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/source/lines.hpp"

namespace nestbind::cli::memory {

using Json = nlohmann::ordered_json;
using FindFrames = std::function<std::vector<source::Frame>(const source::Place& place)>;

// The object behind the key "memory" gets what was found: in each region's first_touch "source", as
// nestbind lines adds it, in its text the function, line and array, and in its name that of the
// source. Returns false where it is none.
bool complete(Json& told, const FindFrames& find);

// Of a completed one: a line of its process, and some for each region.
std::string in_words(const Json& told);

}  // namespace nestbind::cli::memory
