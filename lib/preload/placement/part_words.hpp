// SPDX-License-Identifier: BSD-3-Clause
// Texts about a rank's part: warnings, and the reason for the part, which reports show.
#pragma once

#include "process/rank.hpp"
#include "ranks/meeting/meeting.hpp"

namespace nestbind::placement {

inline constexpr char kOwnMask[] = "own mask";
inline constexpr char kAlone[] = "alone";

void note(process::Part& part, const char* kind, const char* why, ...)
    __attribute__((format(printf, 3, 4)));

void note_divided(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);
void note_whole(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);

// Warns once per job if the ranks cannot compare their masks, or if masks overlap in part. unbound:
// the launcher's option that turns binding off, or empty if there is no such option.
void tell_of_meeting(const ranks::Answer& answer, const ranks::Rank& rank, const char* unbound);

// cpus: the number of processors if the launcher gave this rank its own mask, otherwise 0.
void tell_crowd(const char* sharing, int cpus, const char* unbound);

}  // namespace nestbind::placement
