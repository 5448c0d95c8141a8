// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/library_file.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "support/preload_list.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::slurm {

namespace {

// Returns the path without links, because another installation may change the links while programs
// are started.
std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? "" : resolved;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

bool is_of_this_architecture(const ElfW(Ehdr) & header) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  ElfW(Ehdr) own{};
  return self.read(reinterpret_cast<char*>(&own), sizeof own) &&
         own.e_ident[EI_CLASS] == header.e_ident[EI_CLASS] && own.e_machine == header.e_machine;
}

}  // namespace

LibraryFile find_library(const std::string& asked, const std::string& plugin) {
  const std::string above = folder_of(real_path(plugin)) + "/..";
  const std::string name = above + "/" + std::string(support::kLibraryFile);
  // Without development files, only the second name exists.
  const std::vector<std::string> candidates =
      asked.empty() ? std::vector{name, name + ".0"} : std::vector{asked};
  for (const std::string& candidate : candidates) {
    const std::string path = access(candidate.c_str(), R_OK) == 0 ? real_path(candidate) : "";
    if (path.find_first_of(support::kPreloadSeparators) != std::string::npos) {
      return {"", path + ": " + support::kBlankInPath};
    }
    if (!path.empty()) {
      return {path, ""};
    }
  }
  const std::string wanted =
      asked.empty() ? real_path(above) + "/" + std::string(support::kLibraryFile) : asked;
  return {"", wanted + ": no such library on this node"};
}

std::string find_program(const std::string& name, const std::string& folder,
                         const std::string& path) {
  if (name.find('/') != std::string::npos) {
    return support::absolute_path(folder, name);
  }
  std::istringstream folders(path);
  for (std::string one; std::getline(folders, one, ':');) {
    const std::string file = support::absolute_path(folder, one.append("/").append(name));
    if (access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return {};
}

std::string loader_obstacle(const std::string& file) {
  std::ifstream program(file, std::ios::binary);
  ElfW(Ehdr) header{};
  if (!program.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return {};
  }
  if (!is_of_this_architecture(header)) {
    return support::kForeign;
  }
  program.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    if (!program.read(reinterpret_cast<char*>(&segment), sizeof segment)) {
      return {};
    }
    if (segment.p_type == PT_INTERP) {
      std::string loader;
      program.seekg(static_cast<std::streamoff>(segment.p_offset));
      std::getline(program, loader, '\0');
      return loader.find("/ld-musl") == std::string::npos ? "" : support::kMusl;
    }
  }
  return support::kStatic;
}

}  // namespace nestbind::slurm
