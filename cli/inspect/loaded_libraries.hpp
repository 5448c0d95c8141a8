// SPDX-License-Identifier: BSD-3-Clause
// The libraries that a program starts with, in the order of the loader's search. They are found by
// reading files: if the loader were asked, a crafted file could make it run code.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;  // as DT_NEEDED has it
  std::string path;  // empty: the file was not found
  ElfFile file;
};

struct Listing {
  std::vector<LoadedLibrary> libraries;
  std::string fault = {};  // why the loader would stop at the program, or why this search stops
};

// The variables that the loader reads.
struct LoaderVariables {
  std::string library_path;  // LD_LIBRARY_PATH
  std::string preload;       // LD_PRELOAD
};
LoaderVariables own_loader_variables();

// The libraries as the program's own loader (PT_INTERP, glibc's) would find them. file: the
// program, as read_elf() has read it.
Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables);

// The file that dlopen(3) would find in this process for a library's name; empty if there is none.
std::string find_library_file(const std::string& name);

}  // namespace nestbind::cli::inspect
