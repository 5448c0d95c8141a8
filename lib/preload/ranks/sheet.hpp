// SPDX-License-Identifier: BSD-3-Clause
// The data that the ranks of a node share, in a file of at most 4 KiB.
//
// A word has 16 bits, in the machine's byte order. A header comes first, then an entry for each
// rank, then masks and divisions. Masks and divisions are only added, never changed, because ranks
// rely on them. A sheet from a file is used only after is_good() has accepted it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::ranks {

using Word = std::uint16_t;

inline constexpr int kMostWords = 2048;
inline constexpr int kMostRanks = 256;  // ranks on a node

struct Sheet {
  Word words[kMostWords] = {};
};

struct Process {
  std::uint32_t number = 0;  // process id; 0: has ended, or has never entered
  Word start = 0;            // lowest bits of the start time in ticks
  bool has_forked = false;   // has forked a team; its later children are not ranks
  bool has_openmp = false;
};

struct Need {
  int slots = 1;
  bool is_open = false;  // the rank can use more slots
  bool operator==(const Need&) const = default;
};

// `ranks` is 1 to kMostRanks.
void begin(Sheet& sheet, std::uint64_t key, int ranks);

bool is_good(const Sheet& sheet, std::size_t bytes, std::uint64_t key, int ranks);

std::size_t bytes_of(const Sheet& sheet);

// ranks_of() and key_of() accept any sheet. If the job is not known, pass the results of these two
// functions to is_good(). The other functions need a sheet that is_good() has accepted. A rank is a
// number from 0 to ranks_of() - 1.

int ranks_of(const Sheet& sheet);
std::uint64_t key_of(const Sheet& sheet);
Process process_of(const Sheet& sheet, int rank);
bool has_entered(const Sheet& sheet, int rank);  // now or earlier
bool has_mask(const Sheet& sheet, int rank, const mask::CpuMask& mask);
// False if the rank has no mask in the sheet.
bool copy_mask(const Sheet& sheet, int rank, mask::MaskBuffer& mask);

// Writes a process into an entry, in place of an earlier process. An empty mask means a dry run;
// all dry runs are on the same machine. If there is no room for the mask, the entry has no mask.
// Other ranks then assume that the process has their mask.
void enter(Sheet& sheet, int rank, const Process& process, const mask::CpuMask& mask);

// Notes that the process has ended. The mask stays in the sheet, so the rank keeps its part.
void leave(Sheet& sheet, int rank);

// True if the division of the mask should wait for another rank. The other rank is missing, or has
// an overlapping mask but no OpenMP runtime. Such a process may only start the program, which then
// replaces the entry, and may have another mask.
bool is_waiting(const Sheet& sheet, int rank);

struct Division {
  int index = 0;  // the rank's part, in the order of local numbers
  int of = 1;
  Need need;
  int missing = 0;       // members without a mask
  int overlapping = -1;  // first rank with a different mask that overlaps this mask; -1: none
  Word members[kMostRanks / 16] = {};

  bool has(int rank) const { return (members[rank / 16] >> (rank % 16) & 1U) != 0; }
};

// Each rank with this mask gets a part. Each rank without a mask also gets a part. The first rank
// that calls divide() decides for all these ranks, by its need.
Division divide(Sheet& sheet, int rank, const Need& need);

enum class Trouble { kOverlap, kTooSmall };

// True at the first call for this warning.
bool is_first_to_tell(Sheet& sheet, Trouble what);

}  // namespace nestbind::ranks
