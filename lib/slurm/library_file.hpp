// SPDX-License-Identifier: BSD-3-Clause
// Finds nestbind's library on a node.
#pragma once

#include <string>

namespace nestbind::slurm {

struct LibraryFile {
  std::string path;   // empty: no library can be preloaded
  std::string fault;  // why the path is empty
};

// The library that plugstack.conf names (`asked`). If `asked` is empty: the library that was
// installed with the plugin, in the folder above the plugin's own. Opens no file.
LibraryFile find_library(const std::string& asked, const std::string& plugin);

// The program's file, as execvp finds it: relative to `folder`, or in `path` (PATH); or empty.
std::string find_program(const std::string& name, const std::string& folder,
                         const std::string& path);

// Why nothing can be preloaded into a program: "is a static program, ...". Empty: a library can, or
// this is not known (a script's interpreter may start any program).
std::string loader_obstacle(const std::string& file);

}  // namespace nestbind::slurm
