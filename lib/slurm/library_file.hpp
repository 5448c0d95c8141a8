// SPDX-License-Identifier: BSD-3-Clause
// Where nestbind's library is on a node.
#pragma once

#include <string>

namespace nestbind::slurm {

struct LibraryFile {
  std::string path;   // empty where there is none that can be preloaded
  std::string fault;  // why
};

// The library that the line of plugstack.conf names (`asked`), or if that is empty the one that was
// installed with the plugin: in the folder above the plugin's own. Opens no file.
LibraryFile find_library(const std::string& asked, const std::string& plugin);

// The program's file, as execvp finds it: from `folder`, or in the folders of `path` (PATH's form).
// Empty if there is none.
std::string find_program(const std::string& name, const std::string& folder,
                         const std::string& path);

// Why nothing can be preloaded into a program, as "is a static program, ..."; empty if it can, or
// if that cannot be told. A script's interpreter may start anything.
std::string loader_obstacle(const std::string& file);

}  // namespace nestbind::slurm
