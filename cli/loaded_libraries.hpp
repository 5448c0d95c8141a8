// SPDX-License-Identifier: BSD-3-Clause
// The libraries that a program starts with, in the order in which the loader searches them.
#pragma once

#include <string>
#include <vector>

#include "cli/elf.hpp"

namespace nestbind::cli {

struct LoadedLibrary {
  std::string name;  // as the program asks for it
  std::string path;  // the file; empty if there is none
  ElfFile file;
};

// Asks this command's own loader, which reads the program without running anything of it, in the
// present environment (LD_LIBRARY_PATH, LD_PRELOAD). Returns false if the loader cannot read it;
// `fault` is what it says.
bool list_libraries(const std::string& program, std::vector<LoadedLibrary>& libraries,
                    std::string& fault);

// Something that the program or one of its libraries needs and no library has.
struct Missing {
  std::string symbol;   // empty: a version node is missing as such
  std::string version;  // empty: any
  std::string needed_by;
  std::string library;  // of a version node, where it was looked for
};

// The same, and binds every symbol: what is missing would end the program at its start (a version
// node), or when it gets there (a function).
bool link_libraries(const std::string& program, std::vector<LoadedLibrary>& libraries,
                    std::vector<Missing>& missing, std::string& fault);

}  // namespace nestbind::cli
