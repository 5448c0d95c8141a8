// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/library_file.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <vector>

#include "support/preload_list.hpp"

namespace nestbind::slurm {

namespace {

// Without links, which another installation may lay anew while programs are started.
std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? "" : resolved;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

LibraryFile find_library(const std::string& asked, const std::string& plugin) {
  const std::string above = folder_of(real_path(plugin)) + "/..";
  const std::string name = above + "/" + std::string(support::kLibraryFile);
  // The second name is that of a system without the files for development.
  const std::vector<std::string> candidates =
      asked.empty() ? std::vector{name, name + ".0"} : std::vector{asked};
  for (const std::string& candidate : candidates) {
    const std::string path = access(candidate.c_str(), R_OK) == 0 ? real_path(candidate) : "";
    if (path.find_first_of(support::kPreloadSeparators) != std::string::npos) {
      return {"", path + ": the loader cannot preload a library whose path has a blank or a colon"};
    }
    if (!path.empty()) {
      return {path, ""};
    }
  }
  const std::string wanted =
      asked.empty() ? real_path(above) + "/" + std::string(support::kLibraryFile) : asked;
  return {"", wanted + ": no such library on this node"};
}

}  // namespace nestbind::slurm
