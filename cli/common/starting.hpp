// SPDX-License-Identifier: BSD-3-Clause
// The start of a program: whether it is to be started at all, on which OpenMP runtime, and the end
// of nestbind run, where this process becomes it.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/verdict.hpp"

namespace nestbind::cli {

// The OpenMP runtime that the program gets.
struct RuntimeChoice {
  bool is_llvm = false;
  std::string file;  // of LLVM's; empty: to be found
};

// Reads native|llvm[:FILE]; empty is native. Says what is wrong with another text, and returns
// false.
bool read_runtime(const std::string& text, RuntimeChoice& choice);

// Puts LLVM's runtime in the place of GCC's, by this process's variables, for whatever it starts.
// Says why that cannot be, and returns false.
bool put_llvm_in_place(const RuntimeChoice& choice);

// The same for a program that can do with it: `name`, whose file is `path`. Otherwise says why it
// cannot, and returns false.
bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice);

// Why a preloaded library cannot bind this program, on this runtime: what comes after the
// program's name; empty if it can, or if that cannot be told.
std::string obstacle(const inspect::Facts& facts, const RuntimeChoice& runtime);

// Whether the program is to be started: one that cannot be bound is, with a warning, but not on a
// runtime that was asked for in vain. is_started: now, by the command itself.
bool may_start(const std::string& name, const std::string& path, const inspect::Facts& facts,
               const RuntimeChoice& runtime, bool is_strict, bool is_started);

// As execvp does it. Returns only where that cannot be, with an exit status, and says why: more
// than the kernel tells of a folder, or of a script without its interpreter.
int execute(const std::vector<std::string>& program);

// Warns of a program that is not there, or that the kernel would not start.
void warn_if_not_executable(const std::string& program);

}  // namespace nestbind::cli
