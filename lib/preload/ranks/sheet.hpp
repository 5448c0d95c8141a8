// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node share: the words of their file, at most 4 KiB. Which rank has which
// mask, and how ranks with one mask divide it. Pure; read and written by lib/preload/ranks/meeting.
//
// A word has 16 bits, in the machine's byte order. A header comes first, then an entry for each
// rank, then masks and divisions. Masks and divisions are only added, never changed: ranks rely on
// a division. A sheet from a file is used only after is_good() has accepted it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::ranks {

using Word = std::uint16_t;

inline constexpr int kMostWords = 2048;
inline constexpr int kMostRanks = 256;  // on a node; more ranks cannot meet

struct Sheet {
  Word words[kMostWords] = {};
};

// The process of an entry.
struct Process {
  std::uint32_t number = 0;  // 0: it has ended, or never entered
  Word start = 0;            // its start time in ticks, the lowest bits
  bool has_forked = false;   // it has forked a team: later children are not ranks
  bool has_openmp = false;   // it has an OpenMP runtime; otherwise it may only start the program
};

// The needs of a specification, for a rank's part.
struct Need {
  int slots = 1;         // at least so many
  bool is_open = false;  // a size is given as a word, so all cores are of use
  bool operator==(const Need&) const = default;
};

// Makes a sheet without entries. ranks: 1 to kMostRanks.
void begin(Sheet& sheet, std::uint64_t key, int ranks);

// Whether the first `bytes` bytes are a complete, valid sheet of this job.
bool is_good(const Sheet& sheet, std::size_t bytes, std::uint64_t key, int ranks);

// How many bytes of the sheet are used.
std::size_t bytes_of(const Sheet& sheet);

// ranks_of() and key_of() take any sheet: their results are the arguments of is_good() if the job
// is not known. The other functions need a good sheet, and ranks below its number of ranks.

int ranks_of(const Sheet& sheet);
std::uint64_t key_of(const Sheet& sheet);
Process process_of(const Sheet& sheet, int rank);
bool has_entered(const Sheet& sheet, int rank);  // at any time
// Whether the rank has entered this mask.
bool has_mask(const Sheet& sheet, int rank, const mask::CpuMask& mask);

// Puts a process into an entry, in the place of an earlier process. An empty mask means a dry run;
// all dry runs are on the same machine. If there is no room for the mask, the entry has none: other
// ranks then treat its mask as theirs.
void enter(Sheet& sheet, int rank, const Process& process, const mask::CpuMask& mask);

// Notes that the process has ended. Its mask stays: others divide theirs as if it lived.
void leave(Sheet& sheet, int rank);

// Whether to wait before the mask of an entered rank is divided. Another rank may be missing, or
// may have a different mask that overlaps this one, since it is about to start the program.
bool is_waiting(const Sheet& sheet, int rank);

// How the ranks with one mask divide it.
struct Division {
  int index = 0;         // the rank's part, in the order of local numbers
  int of = 1;            // number of parts
  Need need;             // the need of the rank that decided
  int missing = 0;       // ranks with a part that have not entered a mask
  int overlapping = -1;  // first rank whose different mask overlaps this one; -1: none
  Word members[kMostRanks / 16] = {};  // the ranks with a part: a bit for each

  bool has(int rank) const { return (members[rank / 16] >> (rank % 16) & 1U) != 0; }
};

// For an entered rank. All ranks with its mask get a part, and all ranks that have not entered a
// mask: a late rank costs idle slots, but no overlap. The first of these ranks that calls this
// decides for all, also on the need.
Division divide(Sheet& sheet, int rank, const Need& need);

// Warnings that are printed once in a job.
enum class Trouble { kOverlap, kTooSmall };

// Whether this warning is new; from now on it is not.
bool is_first_to_tell(Sheet& sheet, Trouble what);

}  // namespace nestbind::ranks
