// SPDX-License-Identifier: BSD-3-Clause
// Whether LLVM's OpenMP runtime can replace GCC's for a program.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"

namespace nestbind::cli::inspect {

inline constexpr char kGnuFile[] = "libgomp.so.1";

// Why this file cannot be used: it lacks symbols or the tool interface. Empty: it can be used.
std::string fault_of_llvm(const std::string& path, const ElfFile& file);

// An OpenMP function or version node that the program or its libraries need, but that is missing.
// The program ends at its start without the version node, and at the call without the function.
struct Missing {
  std::string name;     // of the function or the version node
  std::string library;  // the library without the version node; empty: a function is missing
  std::string needed_by;
};

// The files must have been read with is_openmp_symbol. Pure.
std::vector<Missing> find_missing(const std::string& path, const ElfFile& program,
                                  const Listing& listing);

struct LlvmVerdict {
  std::string obstacle;     // why the program cannot run on LLVM's runtime; empty: it can
  bool is_checked = false;  // the program, or a library that it starts with, uses the runtime
};

// Whether LLVM's runtime, which is libgomp.so.1 in `folder`, has all symbols and version nodes that
// the program and its libraries need. listing: the program's libraries if `folder` is the first in
// LD_LIBRARY_PATH. Libraries that are loaded later are not known. Pure.
LlvmVerdict judge_on_llvm(const std::string& path, const ElfFile& program, const Listing& listing,
                          const std::string& folder);

}  // namespace nestbind::cli::inspect
