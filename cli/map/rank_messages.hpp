// SPDX-License-Identifier: BSD-3-Clause
// Reads which ranks of a job exchange data: a grid, a file of pairs, or a folder of traffic files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"

namespace nestbind::cli {

// Reads "16x16px16" (p: periodic). weights: a number for each dimension with commas, or empty.
// stencil: faces, edges, corners, or empty for faces. If something is wrong, says it.
std::optional<mapping::Grid> read_grid(const std::string& grid, const std::string& stencil,
                                       const std::string& weights);

struct RankMessages {
  int ranks = 0;
  std::vector<mapping::Message> messages;
  std::string said;  // what was read, and what was left out
  bool is_in_bytes = false;
};

bool is_folder(const std::string& name);

// Reads the files NAME.RANK.prof of nestbind's recorder or Open MPI's. kinds: the letters of the
// lines that count. If something is wrong, says it, and sets the exit status.
std::optional<RankMessages> read_traffic_folder(const std::string& folder, const std::string& kinds,
                                                int& status);

// Reads a file of pairs: lines "i j weight", or a Matrix Market file. The text says how many ranks
// it needs, but the job may have more.
std::optional<std::string> read_pairs_file(const std::string& file, int& status);
int ranks_in(const std::string& pairs);
std::optional<RankMessages> parse_pairs(const std::string& file, const std::string& pairs,
                                        int ranks, int& status);

}  // namespace nestbind::cli
