// SPDX-License-Identifier: BSD-3-Clause
// Reads the files that say what a rank has sent. Each rank has its own file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

// The end of the names of nestbind's files; a rank's file is "rank-3.traffic".
inline constexpr char kTrafficEnd[] = ".traffic";

// One rank's file. nestbind writes (nestbind-map(1)):
//
//   nestbind traffic 1
//   rank 3 of 64 on node01
//   without collectives
//   to 4 4096 2
//   to 12 1048576 16
//   end
//
// "without" and the rest of its line say what was not counted; the line may be missing. "to RANK
// BYTES MESSAGES" is what the rank has sent to another rank of MPI_COMM_WORLD. A file without "end"
// was not written completely.
struct RankTrafficFile {
  int rank = 0;
  int ranks = 0;  // 0 if the file does not say it
  std::string host;
  std::string without;
  std::vector<Message> messages;
  double left_out = 0;  // bytes in lines that were not wanted
};
bool parse_traffic(std::string_view text, RankTrafficFile& file, Fault& fault);

// Open MPI's NAME.RANK.prof, of pml_monitoring: lines "E from to N bytes M msgs sent". kinds: the
// letters of the lines that count, of "EIC": E is the program's, I the library's own, C the
// collectives'. Other lines are ignored.
bool parse_monitoring(std::string_view text, std::string_view kinds, RankTrafficFile& file,
                      Fault& fault);

}  // namespace nestbind::mapping
