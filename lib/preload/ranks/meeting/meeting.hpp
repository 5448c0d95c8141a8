// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a node meet in a file of their job (sheet.hpp has its contents). The file is in
// /dev/shm, or in the folder of NESTBIND_PUBLISH. All users may write to these folders. So the file
// must be a private file of the user, and no link.
//
// The last living rank removes the file when it ends. If all ranks were killed, the user's next
// process removes the file.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"
#include "ranks/sheet.hpp"

namespace nestbind::ranks {

struct Rank {
  int local = 0;
  int of = 0;  // 2 or more; for enter() at most kMostRanks
  std::uint64_t job = 0;
  std::uint64_t space = 0;
  const char* quota = "";  // folder of the cgroup with the process's CPU quota; empty: no quota
};

// Writes the mask of the calling process into the file. `has_openmp` is true if the process has an
// OpenMP runtime. If it is false, the entry of another running process stays unchanged. Returns
// null, or the reason of a failure.
const char* enter(const Rank& rank, const mask::CpuMask& mask, bool has_openmp);

// How long to wait for missing ranks: not at all, up to 0.1 s, or up to 0.18 s. All waits of a
// process count together. With kPatiently, decide() always decides, even if ranks are missing.
enum class Wait { kNot, kBriefly, kPatiently };

struct Answer {
  bool is_decided = false;  // false: some ranks are missing, but may still enter
  // The reason if the ranks cannot meet, otherwise null. With a fault, all ranks divide the mask.
  const char* fault = nullptr;
  bool is_child = false;     // the process is a child of a rank that has forked teams
  bool has_its_mask = true;  // whether a child has the same mask as the rank
  bool tells_too_small = false;
  int with_quota = 1;  // number of ranks that share the process's CPU quota
  Division division;
};

// Decides how the mask is divided, and notes in the sheet that the process has forked teams. If
// `tells_too_small` is true, the caller must warn the user that the parts are too small. Only one
// process gets this result.
Answer decide(const Rank& rank, const mask::CpuMask& mask, const Need& need, Wait wait);

// Enters with `mask`, and waits at most 0.18 s until all ranks have entered. Copies the sheet, in
// which ranks may be missing. Needs a file that no other function here uses: the last rank that has
// seen all others removes it. Returns null, or the reason of a failure.
const char* gather(const Rank& rank, const mask::CpuMask& mask, Sheet& all);

// True for the first rank of the node that asks about this warning. If there is no file, the result
// is true only on local rank 0.
bool is_first_to_tell(const Rank& rank, Trouble what);

// True if this process has called enter() or decide().
bool is_a_rank();

// Removes a file that killed ranks, or killed processes of a tree, of this user have left. The file
// stays if one of its processes is running. `space` is the PID namespace of the calling process.
void remove_if_left(int folder, const char* name, std::uint64_t user, std::uint64_t space);

// Does this for all files in the folder where processes meet.
void remove_leftovers(std::uint64_t user, std::uint64_t space);

}  // namespace nestbind::ranks
