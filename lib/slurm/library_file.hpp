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

}  // namespace nestbind::slurm
