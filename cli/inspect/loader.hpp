// SPDX-License-Identifier: BSD-3-Clause
// The dynamic loader of a program (PT_INTERP), and where it was built to look for libraries. Those
// of distributions differ: Debian's has folders of its own for each architecture, Nix's and Spack's
// know nothing of /usr/lib.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

struct Loader {
  std::string path;
  std::string soname;
  std::string fault;                 // why it cannot be read; empty if it can
  std::vector<std::string> trusted;  // default folders, in order, each with "/" at its end
  std::string cache;                 // the file that ldconfig writes
  std::string lib;                   // $LIB
  bool knows_levels = false;         // subfolders glibc-hwcaps/..., since glibc 2.33
  bool knows_features = false;       // subfolders named by single features, until glibc 2.36
};

// By the texts in its file; what is not found there is as glibc has it by default.
Loader read_loader(const std::string& path);

// The same of a file in memory. Pure.
Loader read_loader_bytes(const std::string& path, std::string_view bytes);

}  // namespace nestbind::cli::inspect
