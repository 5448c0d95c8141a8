// SPDX-License-Identifier: BSD-3-Clause
// Whether LLVM's OpenMP runtime can stand in the place of GCC's for a program.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"

namespace nestbind::cli::inspect {

inline constexpr char kGnuFile[] = "libgomp.so.1";

// What is wrong with a file as that runtime: what it lacks, or that it has no tool interface. Empty
// if nothing is.
std::string fault_of_llvm(const std::string& path, const ElfFile& file);

// Something of OpenMP that a program or one of its libraries needs and none of them has. A missing
// version node ends the program at its start, a missing function when it gets there.
struct Missing {
  std::string name;     // of the function or the version node
  std::string library;  // in which the node was looked for; empty: it is a function
  std::string needed_by;
};

// Both need to be read with is_openmp_symbol. Pure.
std::vector<Missing> find_missing(const std::string& path, const ElfFile& program,
                                  const Listing& listing);

struct LlvmVerdict {
  std::string obstacle;     // because of which the program cannot run on it; empty: none
  bool is_checked = false;  // the program, or a library that it starts with, uses the runtime
};

// Whether a program would really be served by LLVM's runtime, which is libgomp.so.1 in `folder`,
// and find in it every symbol and version node that it and its libraries need. listing: of the
// program, with the folder first in LD_LIBRARY_PATH. Pure; cannot tell what the program loads while
// it runs.
LlvmVerdict judge_on_llvm(const std::string& path, const ElfFile& program, const Listing& listing,
                          const std::string& folder);

}  // namespace nestbind::cli::inspect
