// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node tell each other: the words of their file, at most 4 KiB. Who has which
// mask, and how the ranks with one mask divide it. Pure; lib/preload/ranks/meeting brings it in and
// out.
//
// A word has 16 bits, in the machine's own order. A header, an entry for each rank, and behind
// these masks and divisions, which are only ever added: a division that one of its ranks goes by
// stays. Nothing in a file is believed before is_good() has said so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::ranks {

using Word = std::uint16_t;

inline constexpr int kMostWords = 2048;
inline constexpr int kMostRanks = 256;  // of a node; with more nobody can meet

struct Sheet {
  Word words[kMostWords] = {};
};

// Who stands in an entry.
struct Process {
  std::uint32_t number = 0;  // 0: it has ended, or was never there
  Word start = 0;            // of the time when it was started, in ticks, the lowest bits
  bool has_forked = false;   // a team: what it starts from now on is no rank
  bool has_openmp = false;   // it has an OpenMP runtime; another may only start the program
};

// What a specification asks of a part.
struct Need {
  int slots = 1;         // so many, at least
  bool is_open = false;  // all cores are of use, for a size is a word
  bool operator==(const Need&) const = default;
};

// A sheet that nobody has entered. ranks: 1 to kMostRanks.
void begin(Sheet& sheet, std::uint64_t key, int ranks);

// Whether `bytes` bytes that were read are such a sheet, whole, and of this job.
bool is_good(const Sheet& sheet, std::size_t bytes, std::uint64_t key, int ranks);

// How many of its bytes have something in them.
std::size_t bytes_of(const Sheet& sheet);

// A sheet that was read, whoever it is of, is good if it is good with what it says itself. The
// other functions are for good sheets, and local numbers of their ranks.

int ranks_of(const Sheet& sheet);
std::uint64_t key_of(const Sheet& sheet);
Process process_of(const Sheet& sheet, int rank);
bool has_entered(const Sheet& sheet, int rank);  // ever
// Whether that is the mask which it has told.
bool has_mask(const Sheet& sheet, int rank, const mask::CpuMask& mask);

// Puts a process in the place of who was there before. Its mask may have no processor: of dry runs,
// which are all on the same machine. Where there is no room for the mask it is not told: then
// others take it for theirs.
void enter(Sheet& sheet, int rank, const Process& process, const mask::CpuMask& mask);

// The process has ended. Its mask stays: others divide theirs as if it were there.
void leave(Sheet& sheet, int rank);

// Whether it is worth waiting before the mask of an entered rank is divided: another has not
// entered, or has another mask that touches this one, and may only be about to start the program.
bool is_waiting(const Sheet& sheet, int rank);

// How the mask of a rank is divided.
struct Division {
  int index = 0;         // of the rank's part, in order of local numbers
  int of = 1;            // so many parts
  Need need;             // by which it is divided
  int missing = 0;       // of the ranks with a part: how many have not told their mask
  int overlapping = -1;  // the first rank whose mask overlaps this one in part; -1: none
  Word members[kMostRanks / 16] = {};  // who has a part: a bit for each

  bool has(int rank) const { return (members[rank / 16] >> (rank % 16) & 1U) != 0; }
};

// For an entered rank. Those with its mask have a part each, and those that have not told theirs:
// who is late costs idle slots, and no overlap. The first of them that comes here decides for all,
// also on the need.
Division divide(Sheet& sheet, int rank, const Need& need);

// What the user is told once a job.
enum class Trouble { kOverlap, kTooSmall };

// Whether nobody has told this yet; from now on somebody has.
bool is_first_to_tell(Sheet& sheet, Trouble what);

}  // namespace nestbind::ranks
