// SPDX-License-Identifier: BSD-3-Clause
// Which OpenMP runtime `nestbind run` gives to a program.
#pragma once

#include <string>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli {

struct RuntimeChoice {
  bool is_llvm = false;
  std::string file;  // of LLVM's; empty: to be found
};

// Reads native|llvm[:FILE]; empty is native. Says what is wrong with another text, and returns
// false.
bool read_runtime(const std::string& text, RuntimeChoice& choice);

// Puts LLVM's runtime in the place of GCC's, by this process's variables, for a program that can do
// with it: `name`, whose file is `path`. Otherwise says why it cannot, and returns false.
bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice);

}  // namespace nestbind::cli
