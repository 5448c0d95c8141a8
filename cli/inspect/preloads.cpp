// SPDX-License-Identifier: BSD-3-Clause
// After handle_preload_list() and dl_main() of glibc's elf/rtld.c.
#include "cli/inspect/preloads.hpp"

#include <algorithm>

#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

constexpr char kFile[] = "/etc/ld.so.preload";
constexpr std::size_t kMaxFile = 1 << 20;
constexpr std::size_t kMaxName = 4096;  // SECURE_PATH_LIMIT

}  // namespace

std::vector<std::string> names_in_preload(std::string_view variable) {
  std::vector<std::string> names = split(variable, " :");
  std::erase_if(names, [](const std::string& name) { return name.size() >= kMaxName; });
  return names;
}

std::vector<std::string> names_in_preload_file(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string& line : split(text.substr(0, kMaxFile), "\n")) {
    const std::string_view before = std::string_view(line).substr(0, line.find('#'));
    for (std::string& name : split(before, ": \t")) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<std::string> preloads(const std::string& variable) {
  std::vector<std::string> names = names_in_preload(variable);
  const MappedFile file(kFile);
  for (std::string& name : names_in_preload_file(file.bytes())) {
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace nestbind::cli::inspect
