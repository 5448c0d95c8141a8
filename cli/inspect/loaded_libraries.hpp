// SPDX-License-Identifier: BSD-3-Clause
// The libraries that a program starts with, in the order in which the loader searches them: found
// by reading files, for a loader that looks at a file runs what a crafted one has in its place.
#pragma once

#include <string>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/listing.hpp"

namespace nestbind::cli::inspect {

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

// The same in the present environment, with what OpenMP's functions and version nodes would be
// missing: this would end the program at its start (a version node), or when it gets there (a
// function).
Listing link_libraries(const std::string& program, const ElfFile& file);

// The file that dlopen(3) would find in this process for a library's name; empty if there is none.
std::string find_library_file(const std::string& name);

}  // namespace nestbind::cli::inspect
