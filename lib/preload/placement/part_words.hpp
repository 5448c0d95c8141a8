// SPDX-License-Identifier: BSD-3-Clause
// Texts about a rank's part: warnings, and the reason for the part, which reports show.
#pragma once

#include "process/rank.hpp"
#include "ranks/meeting/meeting.hpp"

namespace nestbind::placement {

// Kinds of a part (process::Part) that other files ask for.
inline constexpr char kOwnMask[] = "own mask";
inline constexpr char kAlone[] = "alone";

// Sets the kind and the reason. The reason is formatted as by printf.
void note(process::Part& part, const char* kind, const char* why, ...)
    __attribute__((format(printf, 3, 4)));

// Do this for a rank that divides its mask with others, and for a rank that keeps its whole mask.
void note_divided(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);
void note_whole(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);

// Warns once per job if the ranks could not compare their masks without errors. unbound: the
// launcher's option to bind nothing; empty: it has no such option.
void tell_of_meeting(const ranks::Answer& answer, const ranks::Rank& rank, const char* unbound);

// Warns that threads share slots; `sharing` is the text. cpus: the number of processors of a mask
// that the launcher gave to this rank alone; 0: there is no such mask. If the node has more
// processors, the warning also says how to get more. unbound: as above.
void tell_crowd(const char* sharing, int cpus, const char* unbound);

}  // namespace nestbind::placement
