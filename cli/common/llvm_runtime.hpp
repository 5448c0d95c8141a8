// SPDX-License-Identifier: BSD-3-Clause
// LLVM's OpenMP runtime in the place of GCC's, whose entry points it has too, for a program that
// was made by GCC: the loader finds it as libgomp.so.1 in a folder of the user's own, which comes
// first in LD_LIBRARY_PATH.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

struct LlvmRuntime {
  std::string file;
  std::string folder;  // where it is libgomp.so.1
};

// asked: a file; empty: the one that the loader finds as libomp, or the newest in LLVM's own
// folders. None, with the reason in `fault`, if there is none, if it has no tool interface, or if
// the folder cannot be had.
std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault);

// Puts the folder first in this process's LD_LIBRARY_PATH.
void prefer(const LlvmRuntime& runtime);

}  // namespace nestbind::cli
