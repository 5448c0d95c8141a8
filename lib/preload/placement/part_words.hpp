// SPDX-License-Identifier: BSD-3-Clause
// What is told of a rank's part: why it has it, for reports, and warnings.
#pragma once

#include "process/rank.hpp"
#include "ranks/meeting/meeting.hpp"

namespace nestbind::placement {

// Kinds of a part (process::Part) that others ask for.
inline constexpr char kOwnMask[] = "own mask";
inline constexpr char kAlone[] = "alone";

// Kind and reason, as printf has it.
void note(process::Part& part, const char* kind, const char* why, ...)
    __attribute__((format(printf, 3, 4)));

// Of a rank that divides its mask with others, and of one that keeps it.
void note_divided(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);
void note_whole(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part);

// Warns of what has gone wrong where ranks met, once a job. unbound: how the launcher is told to
// bind nothing; empty: there is none.
void tell_of_meeting(const ranks::Answer& answer, const ranks::Rank& rank, const char* unbound);

// Warns that threads share slots, in these words. cpus: how many processors the launcher has given
// this rank by a mask of its own; then, and where the node has more, what helps is told, too. 0: it
// has not. unbound: as above.
void tell_crowd(const char* sharing, int cpus, const char* unbound);

}  // namespace nestbind::placement
