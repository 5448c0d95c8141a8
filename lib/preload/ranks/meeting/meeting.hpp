// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a node meet in a file of their job (sheet.hpp has its contents). The file is in
// /dev/shm, or in the folder of NESTBIND_PUBLISH: a batch job has no other folder in memory.
// Everybody may write there. So a file must be no link, the user's, and unreadable to others.
//
// A process locks the file to read or write. The last living rank removes the file when it ends. If
// all ranks were killed, the file stays until the next process of the user comes.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"
#include "ranks/sheet.hpp"

namespace nestbind::ranks {

// The calling process among the ranks of its node.
struct Rank {
  int local = 0;
  int of = 0;               // 2 to kMostRanks
  std::uint64_t job = 0;    // from find_job()
  std::uint64_t space = 0;  // from find_job()
  const char* quota = "";   // the folder of the cgroup with its CPU quota; empty: no quota
};

// Enters the calling process's mask. If the process has no OpenMP runtime (has_openmp), and a
// living process has the entry already, the entry stays: the process that forks teams may be
// another. Returns null, or the reason of a failure.
const char* enter(const Rank& rank, const mask::CpuMask& mask, bool has_openmp);

// The wait for ranks that have not entered their masks: none, 0.1 s, or the rest of the 0.2 s that
// a process waits in all its life. kPatiently always decides, even if ranks are missing.
enum class Wait { kNot, kBriefly, kPatiently };

struct Answer {
  bool is_decided = false;       // false: some ranks are missing, and may still come
  const char* fault = nullptr;   // why the ranks cannot meet; then the division is among all ranks
  bool is_child = false;         // the process is a child of a rank that has forked teams
  bool has_its_mask = true;      // of a child: its mask is the rank's
  bool tells_too_small = false;  // this process is to warn that a part is too small
  int with_quota = 1;            // how many ranks divide the calling process's CPU quota
  Division division;
};

// Decides how the mask is divided. From now on the sheet says that the process has forked teams. If
// parts are smaller than the need, the first process with part 0 is to warn the user.
Answer decide(const Rank& rank, const mask::CpuMask& mask, const Need& need, Wait wait);

// Whether no other rank of the job on this node printed this warning. Without a file: only rank 0.
bool is_first_to_tell(const Rank& rank, Trouble what);

// Whether this process called enter() or decide(). Then the file's creator removed old files.
bool is_a_rank();

// Removes the file of this name from a folder, if it belongs to ranks of this user that were all
// killed. space: the namespace of process numbers of the calling process.
void remove_if_left(int folder, const char* name, std::uint64_t user, std::uint64_t space);

}  // namespace nestbind::ranks
