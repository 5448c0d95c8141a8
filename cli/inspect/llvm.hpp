// SPDX-License-Identifier: BSD-3-Clause
// Whether LLVM's OpenMP runtime can replace GCC's for a program.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"

namespace nestbind::cli::inspect {

inline constexpr char kGnuFile[] = "libgomp.so.1";

// Why this file is no such runtime: it lacks symbols or the tool interface. Empty: it is one.
std::string fault_of_llvm(const std::string& path, const ElfFile& file);

// An OpenMP symbol or version node that a program or one of its libraries needs, but none of them
// has. A missing version node ends the program at its start, a missing function at its first call.
struct Missing {
  std::string name;     // of the function or the version node
  std::string library;  // where the version node is missing; empty: a function is missing
  std::string needed_by;
};

// The files must have been read with is_openmp_symbol. Pure.
std::vector<Missing> find_missing(const std::string& path, const ElfFile& program,
                                  const Listing& listing);

struct LlvmVerdict {
  std::string obstacle;     // why the program cannot run on it; empty: it can
  bool is_checked = false;  // the program, or a library that it starts with, uses the runtime
};

// Whether the program would run on LLVM's runtime, as libgomp.so.1 in `folder`, with all symbols
// and version nodes that it and its libraries need. listing: its libraries, with the folder first
// in LD_LIBRARY_PATH. Libraries that are loaded later are not known. Pure.
LlvmVerdict judge_on_llvm(const std::string& path, const ElfFile& program, const Listing& listing,
                          const std::string& folder);

}  // namespace nestbind::cli::inspect
