// SPDX-License-Identifier: BSD-3-Clause
// Finds nestbind's library on a node.
#pragma once

#include <string>

namespace nestbind::slurm {

struct LibraryFile {
  std::string path;  // empty if no library can be preloaded
  std::string fault;
};

// Returns the library that plugstack.conf names (`asked`). If `asked` is empty, returns the library
// that was installed with the plugin, in the folder above the plugin's folder.
LibraryFile find_library(const std::string& asked, const std::string& plugin);

// Returns the program's file, as execvp finds it: relative to `folder`, or in `path` (PATH).
std::string find_program(const std::string& name, const std::string& folder,
                         const std::string& path);

// Says why no library can be preloaded into a program, for example "is a static program, ...".
// Returns an empty text if a library can be preloaded, or if this is not known.
std::string loader_obstacle(const std::string& file);

}  // namespace nestbind::slurm
