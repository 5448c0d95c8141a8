// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a program may start, and on which OpenMP runtime.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/inspect/verdict.hpp"

namespace nestbind::cli {

struct RuntimeChoice {
  bool is_llvm = false;
  std::string file;  // the file of LLVM's runtime; if empty, find_llvm_runtime() searches for it
};

// Reads native|llvm[:FILE], or "" (native). If the text is wrong, says so and returns false.
bool read_runtime(const std::string& text, RuntimeChoice& choice);

// If LLVM's runtime cannot be used, says why and returns false.
bool put_llvm_in_place(const RuntimeChoice& choice);

// Like the function above, but first checks whether this program can run on LLVM's runtime.
bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice);

// Returns why preloading cannot bind this program, or what it starts; otherwise an empty text. The
// text follows the program's name, which is the first of its words.
std::string obstacle(const std::vector<std::string>& program, const inspect::Facts& facts,
                     const RuntimeChoice& runtime);

// Warns if the program cannot be bound. is_started: this command itself starts the program now.
bool may_start(const std::vector<std::string>& program, const std::string& path,
               const inspect::Facts& facts, const RuntimeChoice& runtime, bool is_strict,
               bool is_started);

// If the program cannot be executed, says why and returns an exit status.
int execute(const std::vector<std::string>& program);

// Warns if the program does not exist, or if the kernel refuses to start it.
void warn_if_not_executable(const std::string& program);

// Finds LLVM's OpenMP runtime for programs compiled by GCC. The loader finds LLVM's runtime as
// libgomp.so.1 in a folder of the user, which is first in LD_LIBRARY_PATH.

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
