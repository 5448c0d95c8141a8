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

}  // namespace nestbind::cli
