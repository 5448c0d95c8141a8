// SPDX-License-Identifier: BSD-3-Clause
// Reads the files that say what a rank has sent. Each rank has its own file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

// One rank's file, NAME.RANK.prof, as Open MPI's pml_monitoring writes it, with lines
//
//   E 3 12 1048576 bytes 16 msgs sent
//
// nestbind writes tabs and the same lines, between comments that Open MPI does not have
// (nestbind-map(1)):
//
//   # nestbind: rank 3 of 64 on node01
//   # without collectives
//   # end
//
// "without" and the rest of its line say what was not counted; the line may be missing.
struct RankTrafficFile {
  int rank = 0;
  int ranks = 0;  // 0 if the file does not say it
  std::string without;
  bool is_complete = true;  // false if nestbind's file has no end
  std::vector<Message> messages;
  double left_out = 0;  // bytes in lines that were not wanted
};

// kinds: the letters of the lines that count, of "EIC": E is the program's, I the library's own, C
// the collectives'. Other lines are ignored. Returns false after a fault, or if the file is not
// complete.
bool parse_traffic(std::string_view text, std::string_view kinds, RankTrafficFile& file,
                   Fault& fault);

}  // namespace nestbind::mapping
