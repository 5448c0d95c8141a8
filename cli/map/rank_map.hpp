// SPDX-License-Identifier: BSD-3-Clause
// nestbind map for the ranks of a job on several nodes.
#pragma once

#include <string>
#include <vector>

#include "cli/common/usual_options.hpp"
#include "cli/map/asked_nodes.hpp"

namespace nestbind::cli {

struct RankMapOptions {
  std::string grid;
  std::string stencil;
  std::string weights;
  NodesOptions nodes;
  std::string monitoring;          // letters of Open MPI's lines; if empty, EI
  std::vector<std::string> write;  // LAUNCHER:FILE
  // Those of nestbind map for threads, too:
  std::string communication;
  std::string output;
  std::string method;  // for threads scotch or greedy; if empty, the best
  std::string format;  // if empty, text
  MachineOptions machine;
};
void add_rank_options(CLI::App& command, RankMapOptions& options);

// Whether the options are for ranks, and not for threads.
bool is_for_ranks(const RankMapOptions& options);

int rank_map_command(const RankMapOptions& options);

}  // namespace nestbind::cli
