// SPDX-License-Identifier: BSD-3-Clause
// Files by which launchers put each rank on its node.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::nodes {

struct RankPlace {
  int node = 0;
  int slot = 0;  // on the node, from 0; without mapping, the first rank of a node has slot 0
};

struct Placed {
  std::vector<std::string> names;  // of the nodes
  std::vector<int> ranks;          // number of ranks on each node
  std::vector<RankPlace> places;   // of each rank
  int cores = 0;                   // of a node; 0 if not known
};

// The words of --write, with commas.
inline constexpr char kLaunchers[] = "slurm, openmpi, mpich, intel or cray";

struct LaunchFile {
  std::string text;
  std::string command;  // the line that uses the file
};
// launcher: slurm, openmpi, mpich, intel or cray; not set for others. file: its name, as a shell
// reads it.
std::optional<LaunchFile> launch_file(std::string_view launcher, const std::string& file,
                                      const Placed& placed);

}  // namespace nestbind::nodes
