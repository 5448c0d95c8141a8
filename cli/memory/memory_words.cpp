// SPDX-License-Identifier: BSD-3-Clause
#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/lines/code_places.hpp"
#include "cli/memory/memory_parts.hpp"
#include "memory/sentences.hpp"

namespace nestbind::cli::memory {

namespace {

// What the compiler has named it, as it stands in the source.
std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text != nullptr && status == 0 ? text : name;
  std::free(text);
  return result;
}

// Of GNU Fortran: __MODULE_MOD_name.
std::string as_in_source(const std::string& name) {
  constexpr std::string_view kBefore = "_MOD_";
  const std::size_t at = name.find(kBefore);
  return name.starts_with("__") && at != std::string::npos
             ? name.substr(2, at - 2) + "::" + name.substr(at + kBefore.size())
             : name;
}

// The name of a file without its folders.
std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

nestbind::memory::Names names_of(const Json& region, const source::Place& place,
                                 const std::vector<source::Frame>& frames) {
  nestbind::memory::Names names;
  const std::string array = text_in_json(region, "name");
  names.array = array.empty() ? "p" : array;
  if (!frames.empty()) {
    names.line = fmt::format("{}:{}", last_of(frames[0].file), frames[0].line);
    names.place = frames[0].function.empty()
                      ? names.line
                      : fmt::format("{} ({})", as_in_source(frames[0].function), names.line);
    return names;
  }
  const std::string code = fmt::format("{}+0x{:x}", last_of(place.module), place.address);
  names.line = place.function.empty() ? code : demangled(place.function);
  names.place = place.function.empty() ? code : fmt::format("{} ({})", names.line, code);
  return names;
}

void complete_region(Json& region, const FindFrames& find) {
  region["name"] = as_in_source(demangled(text_in_json(region, "name")));
  Json& touch = region["first_touch"];
  const source::Place place = touch.is_object() ? place_in_json(touch) : source::Place{};
  const std::vector<source::Frame> frames =
      place.module.empty() || place.address == 0 ? std::vector<source::Frame>{} : find(place);
  if (!frames.empty()) {
    touch["source"] = json_of_frames(frames);
  }
  region["text"] = filled(text_in_json(region, "text"), names_of(region, place, frames));
}

}  // namespace

bool complete(Json& told, const FindFrames& find) {
  if (!told.is_object() || !told.contains("memory") || !told["memory"].is_object() ||
      !told["memory"]["regions"].is_array()) {
    return false;
  }
  for (Json& region : told["memory"]["regions"]) {
    if (!region.is_object()) {
      return false;
    }
    complete_region(region, find);
  }
  return true;
}

std::string in_words(const Json& told) {
  const Json& process = told["memory"];
  std::string text =
      fmt::format("nestbind memory: {}, process {}: {}\n", text_in_json(process, "program"),
                  number_in_json(process, "process"), text_in_json(process, "circumstances"));
  for (const Json& region : process["regions"]) {
    const std::string name = text_in_json(region, "name");
    text += name.empty() ? "" : fmt::format("static array {}:\n", name);
    text += text_in_json(region, "text");
    const bool is_gone = region.contains("gone") && region["gone"] == true;
    text += is_gone ? "  given back before the program ended\n" : "";
  }
  return text;
}

}  // namespace nestbind::cli::memory
