// SPDX-License-Identifier: BSD-3-Clause
#include "cli/source/lines.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/source/file.hpp"

namespace nestbind::cli::source {

class Lines::Files {
 public:
  const File& file(const Libdw& calls, const std::string& name) {
    return files_.try_emplace(name, calls, name).first->second;
  }

 private:
  std::map<std::string, File> files_;
};

Lines::Lines() : files_(std::make_unique<Files>()) {}
Lines::~Lines() = default;

std::string Lines::missing() const {
  return libdw() == nullptr ? "elfutils' libdw.so.1 cannot be loaded (Debian: libdw1)" : "";
}

namespace {

// What says that the file is another one than the report's.
std::string change(const File& file, const Place& place) {
  if (!place.build_id.empty()) {
    const std::string is = file.build_id();
    return is == place.build_id
               ? ""
               : fmt::format("has changed since: its build id is {}, in the report {}",
                             is.empty() ? "none" : is, place.build_id);
  }
  const bool is_there = place.function.empty() ||
                        file.has_function(place.function, place.address - place.in_function);
  return is_there
             ? ""
             : fmt::format("has changed since: {} is not where the report has it", place.function);
}

}  // namespace

Found Lines::find(const Place& place) {
  const Libdw* calls = libdw();
  if (calls == nullptr) {
    return {};
  }
  const File& file = files_->file(*calls, place.module);
  Found found;
  found.fault = file.fault().empty() ? change(file, place) : file.fault();
  if (found.fault.empty()) {
    // What is behind a call may be of another line; its last byte is not.
    const bool is_begin =
        place.function.empty() ? file.has_function_at(place.address) : place.in_function == 0;
    found.frames = file.frames(place.address - (is_begin ? 0 : 1));
  }
  return found;
}

}  // namespace nestbind::cli::source
