// SPDX-License-Identifier: BSD-3-Clause
// The libraries that a program starts with, in the order in which the loader searches them.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli::inspect {

struct LoadedLibrary {
  std::string name;  // as the program asks for it
  std::string path;  // the file; empty if there is none
  ElfFile file;
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
  std::vector<Missing> missing;
  bool is_read = true;
  std::string fault;  // what the loader says where it cannot read the program
};

// Asks this command's own loader, which reads the program without running anything of it, in the
// present environment (LD_LIBRARY_PATH, LD_PRELOAD).
Listing list_libraries(const std::string& program);

// The same, and binds every symbol: what is missing would end the program at its start (a version
// node), or when it gets there (a function).
Listing link_libraries(const std::string& program);

// What the loader printed; the libraries' files are not read yet.
Listing parse_listing(const std::string& output);

}  // namespace nestbind::cli::inspect
