// SPDX-License-Identifier: BSD-3-Clause
// Whether LLVM's OpenMP runtime can replace GCC's for a program.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"

namespace nestbind::cli::inspect {

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
