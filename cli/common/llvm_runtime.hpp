// SPDX-License-Identifier: BSD-3-Clause
// Finds LLVM's OpenMP runtime for programs compiled by GCC. The loader finds LLVM's runtime as
// libgomp.so.1 in a folder of the user, which is first in LD_LIBRARY_PATH.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

struct LlvmRuntime {
  std::string file;
  std::string folder;  // has the link libgomp.so.1
};

// If `asked` is not empty, the runtime is the file `asked`. Otherwise the loader searches for
// libomp. If the loader finds no libomp, the runtime is the newest libomp in LLVM's own folders.
//
// Returns nothing and sets `fault` in three cases: the file does not exist, the file has no tool
// interface, or the folder cannot be made.
std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault);

void prefer(const LlvmRuntime& runtime);

}  // namespace nestbind::cli
