// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/loader_of.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "support/preload_list.hpp"

namespace nestbind::slurm {

namespace {

bool is_of_this_architecture(const ElfW(Ehdr) & header) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  ElfW(Ehdr) own{};
  return self.read(reinterpret_cast<char*>(&own), sizeof own) &&
         own.e_ident[EI_CLASS] == header.e_ident[EI_CLASS] && own.e_machine == header.e_machine;
}

}  // namespace

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
    return "is built for another architecture than this library";
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
      return loader.find("/ld-musl") == std::string::npos
                 ? ""
                 : "is built for musl (" + loader + "), and the library needs glibc";
    }
  }
  return "is a static program, which preloads nothing";
}

}  // namespace nestbind::slurm
