// SPDX-License-Identifier: BSD-3-Clause
// LLVM's OpenMP runtime in place of GCC's, for a program that was compiled by GCC. LLVM's runtime
// has GCC's entry points too. The loader finds it as libgomp.so.1 in a folder of the user's own,
// which is first in LD_LIBRARY_PATH.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

struct LlvmRuntime {
  std::string file;
  std::string folder;  // that has the link libgomp.so.1
};

// asked: a file; empty: the libomp that the loader finds, otherwise the newest one in LLVM's own
// folders. None, with the reason in `fault`, if there is no such file, if it has no tool interface,
// or if the folder cannot be made.
std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault);

// Puts the folder first in this process's LD_LIBRARY_PATH.
void prefer(const LlvmRuntime& runtime);

}  // namespace nestbind::cli
