// SPDX-License-Identifier: BSD-3-Clause
// Lists a program's libraries in the loader's order. Asks the loader of this system, as ldd(1)
// does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;
  std::string path;  // empty if the file was not found
  ElfFile file;
};

// A missing OpenMP function or symbol version that the program or its libraries need.
struct Missing {
  std::string name;
  std::string library;  // the library without the version; empty if a function is missing
  std::string needed_by;
};

struct Listing {
  std::vector<LoadedLibrary> libraries;
  std::string fault = {};
  std::vector<Missing> missing = {};  // versions
};

struct LoaderVariables {
  std::string library_path;
  std::string preload;
};
LoaderVariables own_loader_variables();

// Returns the libraries that the program's own loader (glibc's) loads.
Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables);

// Reads the loader's answer. The files of the libraries are not read.
Listing listing_in(std::string_view answer);

// Returns the file that dlopen(3) finds in this process for a library's name, or "".
std::string find_library_file(const std::string& name);

// Whether LLVM's OpenMP runtime can replace GCC's for a program.

inline constexpr char kGnuFile[] = "libgomp.so.1";

std::string fault_of_llvm(const std::string& path, const ElfFile& file);

// Call read_elf() with is_openmp_symbol for each of the files first.
std::vector<Missing> find_missing(const std::string& path, const ElfFile& program,
                                  const Listing& listing);

struct LlvmVerdict {
  std::string obstacle;
  bool is_checked = false;
};

// The runtime is libgomp.so.1 in `folder`. listing: the libraries that are loaded if `folder` comes
// first in LD_LIBRARY_PATH. Libraries that are loaded later are not known.
LlvmVerdict judge_on_llvm(const std::string& path, const ElfFile& program, const Listing& listing,
                          const std::string& folder);

}  // namespace nestbind::cli::inspect
