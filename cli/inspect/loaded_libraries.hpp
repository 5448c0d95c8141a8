// SPDX-License-Identifier: BSD-3-Clause
// The libraries that a program starts with, in the order in which the loader searches them: found
// by reading files, for a loader that is asked about a crafted file runs what it has in its place.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;  // as the program asks for it
  std::string path;  // the file; empty if there is none
  ElfFile file;
};

struct Listing {
  std::vector<LoadedLibrary> libraries;
  std::string fault = {};  // why the loader would stop at the program, or why this reading does
};

// What the loader takes from the environment.
struct LoaderVariables {
  std::string library_path;  // LD_LIBRARY_PATH
  std::string preload;       // LD_PRELOAD
};
LoaderVariables own_loader_variables();

// As the program's own loader (PT_INTERP, glibc's) would find them. file: what was read of the
// program.
Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables);

// The file that dlopen(3) would find in this process for a library's name; empty if there is none.
std::string find_library_file(const std::string& name);

}  // namespace nestbind::cli::inspect
