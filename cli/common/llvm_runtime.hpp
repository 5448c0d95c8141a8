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

// Takes the file `asked`. If `asked` is empty, takes the libomp that the loader finds, or else the
// newest libomp in LLVM's own folders. If the file does not exist or has no tool interface, or if
// the folder cannot be made, sets `fault` and returns nothing.
std::optional<LlvmRuntime> find_llvm_runtime(const std::string& asked, std::string& fault);

void prefer(const LlvmRuntime& runtime);

}  // namespace nestbind::cli
