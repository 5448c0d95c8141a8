// SPDX-License-Identifier: BSD-3-Clause
// What a process begins with: its libraries, and what they lack.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;  // as the program asks for it
  std::string path;  // the file; empty if there is none
  ElfFile file;
  std::vector<std::string> other_names = {};  // by which others ask for the same file
};

// Something that the program or one of its libraries needs and no library has.
struct Missing {
  std::string symbol;   // empty: a version node is missing as such
  std::string version;  // empty: any
  std::string needed_by;
  std::string library;  // of a version node, where it was looked for
};

struct Listing {
  std::vector<LoadedLibrary> libraries;
  std::vector<Missing> missing = {};
  bool is_read = true;
  std::string fault = {};  // why the loader would stop at the program, or why this reading does
};

}  // namespace nestbind::cli::inspect
