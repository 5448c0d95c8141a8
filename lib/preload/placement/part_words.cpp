// SPDX-License-Identifier: BSD-3-Clause
#include "placement/part_words.hpp"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "process/message.hpp"
#include "support/text_writer.hpp"

namespace nestbind::placement {

using process::say;
using process::Severity;

namespace {

void put_members(const ranks::Division& division, support::TextWriter& out) {
  bool is_first = true;
  for (int rank = 0; rank < ranks::kMostRanks; ++rank) {
    if (!division.has(rank)) {
      continue;
    }
    int last = rank;
    while (last + 1 < ranks::kMostRanks && division.has(last + 1)) {
      ++last;
    }
    out.put(is_first ? "" : ",");
    out.put_number(static_cast<std::size_t>(rank));
    if (last > rank) {
      out.put('-');
      out.put_number(static_cast<std::size_t>(last));
    }
    is_first = false;
    rank = last;
  }
}

}  // namespace

void note(process::Part& part, const char* kind, const char* why, ...) {
  part.kind = kind;
  va_list values;
  va_start(values, why);
  vsnprintf(part.why, sizeof part.why, why, values);
  va_end(values);
}

void note_divided(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part) {
  char members[64];
  support::TextWriter out(members, sizeof members);
  put_members(answer.division, out);
  if (answer.fault != nullptr) {
    note(part, "divided", "nestbind assumes that all %d ranks have this rank's mask", rank.of);
  } else if (answer.is_child) {
    note(part, "divided",
         "rank %d of this node has started this process, and both have the same part", rank.local);
  } else if (answer.division.missing > 0) {
    note(part, "divided", "ranks %s have the same mask; %d of them have not reported it yet",
         members, answer.division.missing);
  } else {
    note(part, "divided", "ranks %s have the same mask", members);
  }
}

void note_whole(const ranks::Answer& answer, const ranks::Rank& rank, process::Part& part) {
  if (answer.is_child && !answer.has_its_mask) {
    note(part, kOwnMask, "rank %d of this node has started this process, with another mask",
         rank.local);
  } else if (answer.division.overlapping >= 0) {
    note(part, kOwnMask, "it overlaps the mask of rank %d in part", answer.division.overlapping);
  } else {
    note(part, kOwnMask, "no other rank has a processor of this mask");
  }
}

void tell_of_meeting(const ranks::Answer& answer, const ranks::Rank& rank, const char* unbound) {
  if (answer.fault != nullptr && rank.local == 0) {
    say(Severity::kWarning,
        "the ranks of this node cannot exchange their masks in %s (%s): each rank assumes that all "
        "ranks have the same mask",
        options::settings().publish, answer.fault);
  }
  if (answer.fault == nullptr && answer.division.overlapping >= 0 && !answer.is_child &&
      ranks::is_first_to_tell(rank, ranks::Trouble::kOverlap)) {
    say(Severity::kWarning,
        "the masks of ranks %d and %d of this node overlap in part: each keeps its own mask, and "
        "threads of both may run on the same processors%s%s",
        rank.local, answer.division.overlapping,
        unbound[0] == '\0' ? "" : "; to divide them: ", unbound);
  }
}

void tell_crowd(const char* sharing, int cpus, const char* unbound) {
  if (cpus == 0 || cpus >= sysconf(_SC_NPROCESSORS_ONLN)) {
    say(Severity::kWarning, "%s", sharing);
    return;
  }
  // By default Slurm gives a task one processor, even if it binds nothing.
  const char* more = strncmp(unbound, "srun ", 5) == 0 ? "srun --cpus-per-task" : unbound;
  say(Severity::kWarning, "%s: this rank was started with %d processor%s%s%s", sharing, cpus,
      cpus == 1 ? "" : "s", more[0] == '\0' ? "" : "; for more: ", more);
}

}  // namespace nestbind::placement
