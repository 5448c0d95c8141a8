// SPDX-License-Identifier: BSD-3-Clause
// Texts about a rank's part: warnings, and the reason for the part, which reports show.
#pragma once

#include "process/rank.hpp"
#include "ranks/meeting/meeting.hpp"

namespace nestbind::placement {

// Kinds of a part (process::Part) that other files compare with.
inline constexpr char kOwnMask[] = "own mask";
inline constexpr char kAlone[] = "alone";

// Sets the kind and the reason. The reason is formatted as by printf.
void note(process::Part& part, const char* kind, const char* why, ...)
    __attribute__((format(printf, 3, 4)));

// Set the kind and the reason of a rank's part. note_divided() is for a rank that divides its mask
// with other ranks. note_whole() is for a rank that keeps its whole mask.
void note_divided(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);
void note_whole(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);

// Warns once per job if the ranks could not compare their masks without errors. unbound: the
// launcher's option that turns binding off, or empty if there is no such option.
void tell_of_meeting(const ranks::Answer& answer, const ranks::Rank& rank, const char* unbound);

// Warns that threads share slots; `sharing` is the warning's text. cpus: the number of processors
// if the launcher gave this rank a mask of its own, otherwise 0. If the node has more processors,
// the warning also says how to get more. unbound: as for tell_of_meeting.
void tell_crowd(const char* sharing, int cpus, const char* unbound);

}  // namespace nestbind::placement
