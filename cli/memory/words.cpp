// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/words.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>

#include "memory/sentences.hpp"

namespace nestbind::cli::memory {

namespace {

std::string text_of(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

std::uint64_t number_of(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_number_unsigned() ? object[key].get<std::uint64_t>()
                                                                  : 0;
}

// What the compiler has named it, as it stands in the source.
std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text != nullptr && status == 0 ? text : name;
  std::free(text);
  return result;
}

source::Place place_of(const Json& touch) {
  return {.module = text_of(touch, "module"),
          .address = number_of(touch, "in_module"),
          .function = text_of(touch, "function"),
          .in_function = number_of(touch, "in_function"),
          .build_id = text_of(touch, "build_id")};
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
  const std::string array = text_of(region, "name");
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
  region["name"] = as_in_source(demangled(text_of(region, "name")));
  Json& touch = region["first_touch"];
  const source::Place place = touch.is_object() ? place_of(touch) : source::Place{};
  const std::vector<source::Frame> frames =
      place.module.empty() || place.address == 0 ? std::vector<source::Frame>{} : find(place);
  if (!frames.empty()) {
    Json told = Json::array();
    for (const source::Frame& frame : frames) {
      told.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
    }
    touch["source"] = std::move(told);
  }
  region["text"] = filled(text_of(region, "text"), names_of(region, place, frames));
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
      fmt::format("nestbind memory: {}, process {}: {}\n", text_of(process, "program"),
                  number_of(process, "process"), text_of(process, "circumstances"));
  for (const Json& region : process["regions"]) {
    const std::string name = text_of(region, "name");
    text += name.empty() ? "" : fmt::format("static array {}:\n", name);
    text += text_of(region, "text");
    const bool is_gone = region.contains("gone") && region["gone"] == true;
    text += is_gone ? "  given back before the program ended\n" : "";
  }
  return text;
}

}  // namespace nestbind::cli::memory
