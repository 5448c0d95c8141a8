// SPDX-License-Identifier: BSD-3-Clause
// Where the ranks of a node meet: a file of the job in /dev/shm, or in the folder of
// NESTBIND_PUBLISH, which its user owns (sheet.hpp
// has what is in it). A batch job has no other folder that is memory. The folder is everybody's:
// the file is never a link, its user's and readable by nobody else, or it is not believed.
//
// Who reads or writes has it locked. The last rank that lives removes it when it ends; of ranks
// that were all killed it stays, until the next process of the user comes.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"
#include "ranks/sheet.hpp"

namespace nestbind::ranks {

// The calling process among those of its node.
struct Rank {
  int local = 0;
  int of = 0;               // 2 to kMostRanks
  std::uint64_t job = 0;    // find_job() tells it
  std::uint64_t space = 0;  // and this
  const char* quota = "";  // the folder of the cgroup that limits its processors' time; empty: none
};

// Tells the mask of the calling process, which need not be the one that forks teams in the end: a
// process that has no OpenMP runtime (has_openmp) leaves it at who is there. Returns null, or why
// that cannot be.
const char* enter(const Rank& rank, const mask::CpuMask& mask, bool has_openmp);

// For ranks that have not told their masks: not at all, 0.1 s, or as long as there is patience
// left. A process waits 0.2 s in all of its life. Only with the last nobody is missed in the end.
enum class Wait { kNot, kBriefly, kPatiently };

struct Answer {
  bool is_decided = false;       // false: some are missing, and may still come
  const char* fault = nullptr;   // why nobody can be met; the division is of all ranks then
  bool is_child = false;         // of a rank that has forked teams
  bool has_its_mask = true;      // of a child: that of the rank
  bool tells_too_small = false;  // no other rank tells the user that a part is too small
  int with_quota = 1;            // how many ranks divide the calling process's CPU quota
  Division division;
};

// How the mask is divided. From then on the process stands there as one that has forked teams.
// Where the need says that parts are too small, the first one with part 0 tells the user.
Answer decide(const Rank& rank, const mask::CpuMask& mask, const Need& need, Wait wait);

// Whether no other rank of the job on this node has told the user. True, where that cannot be
// known, of rank 0 alone.
bool is_first_to_tell(const Rank& rank, Trouble what);

// Whether this process has come to meet others: then whoever has made their file has looked for
// what others have left.
bool is_a_rank();

// In a folder: removes the file of this name, if ranks of this user have left it there who were all
// killed. space: the namespace of process numbers that the calling process is in.
void remove_if_left(int folder, const char* name, std::uint64_t user, std::uint64_t space);

}  // namespace nestbind::ranks
