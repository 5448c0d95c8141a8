// SPDX-License-Identifier: BSD-3-Clause
// Lists a program's libraries in the loader's order. Reads the files itself, because the loader
// could run code of the libraries.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;
  std::string path;  // empty if the file was not found
  ElfFile file;
};

struct Listing {
  std::vector<LoadedLibrary> libraries;
  std::string fault = {};
};

struct LoaderVariables {
  std::string library_path;
  std::string preload;
};
LoaderVariables own_loader_variables();

// Returns the libraries that the program's own loader (glibc's) loads.
Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables);

// Returns the file that dlopen(3) finds in this process for a library's name, or "".
std::string find_library_file(const std::string& name);

}  // namespace nestbind::cli::inspect
