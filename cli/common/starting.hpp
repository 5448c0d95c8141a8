// SPDX-License-Identifier: BSD-3-Clause
// The start of a program: whether it may be started, and on which OpenMP runtime. In the end of
// nestbind run this process becomes the program.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/verdict.hpp"

namespace nestbind::cli {

// The OpenMP runtime that the program gets.
struct RuntimeChoice {
  bool is_llvm = false;
  std::string file;  // the file of LLVM's runtime; empty: it has to be found
};

// Reads native|llvm[:FILE]; empty is native. Says what is wrong with any other text, and returns
// false.
bool read_runtime(const std::string& text, RuntimeChoice& choice);

// Puts LLVM's runtime in place of GCC's by this process's variables, for whatever the process
// starts. If that is not possible, says why, and returns false.
bool put_llvm_in_place(const RuntimeChoice& choice);

// The same, if the program `name` with the file `path` can run on LLVM's runtime. Otherwise says
// why it cannot, and returns false.
bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice);

// Why a preloaded library cannot bind this program on this runtime: the text that follows the
// program's name. Empty if it can bind the program, or if that is not known.
std::string obstacle(const inspect::Facts& facts, const RuntimeChoice& runtime);

// Whether the program may be started. One that cannot be bound gets a warning. One that cannot run
// on the wanted runtime may not start. is_started: the command itself starts the program now.
bool may_start(const std::string& name, const std::string& path, const inspect::Facts& facts,
               const RuntimeChoice& runtime, bool is_strict, bool is_started);

// Becomes the program, as execvp does. Returns only if that fails, with an exit status. Says why,
// in more detail than the kernel for a folder, or for a script without its interpreter.
int execute(const std::vector<std::string>& program);

// Warns if the program does not exist, or if the kernel would not start it.
void warn_if_not_executable(const std::string& program);

}  // namespace nestbind::cli
