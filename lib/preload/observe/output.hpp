// SPDX-License-Identifier: BSD-3-Clause
// Where reports go, and what each report says about its process.
#pragma once

#include "mask/cpu_mask.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// While a Turn lives, no other thread writes, so that texts come one after the other. Nobody waits
// for a thread of another process (in a forked child), for a thread that was ended in its turn, or
// for itself (in a signal handler or a nested call).
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits at most so many milliseconds, and then goes on without the turn. After that, nobody waits
  // again for the thread that has the turn.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Whether this object has the turn. False if another thread or an outer call has it.
  explicit operator bool() const { return is_ours_; }

 private:
  bool take(int patience);

  const bool is_inside_;  // the thread is already in a Turn
  const bool is_ours_;
};

// Finds NESTBIND_REPORT's file in this process. False, with errno: it cannot be one. Allocates.
bool name_report();

// The terminal that reports are written to, if there is one.
process::Terminal report_terminal();

// Writes a text to where NESTBIND_REPORT says, in one piece, after the texts of other threads. If
// this fails, one warning says so, for all texts.
void write_report(const support::TextBuffer& text);

// "process 17 on host, rank 3"; without a rank only the first part.
void add_process(support::TextBuffer& text);

// "nestbind: local rank 1 of 4 (Open MPI), processors 4-7, divided: ...\n"; nothing if no rank.
void add_part(support::TextBuffer& text);

// "nestbind: CPU quota: ..." and a line's end; nothing without a quota.
void add_quota(support::TextBuffer& text);

// "process": 17, "host": "host", "rank": 3 (null: none). For a rank on the node then follows
// "part": {"local": 1, "of": 4 (null: not told), "by": "Open MPI", "kind": "divided", "why": "...",
// "cpus": [4, 5, 6, 7] (null: all of a dry run's machine)}. With a CPU quota then follows "quota":
// 2, the number of threads in sizes that are words.
void add_json_process(support::TextBuffer& text);

// "name": "n0", if the launcher names the node otherwise: two nodes may be on one host.
void add_json_node_name(support::TextBuffer& text);

// As "0-3,8" or as "0,1,2,3,8".
inline void add_cpus(const mask::CpuMask& mask, bool as_ranges, support::TextBuffer& text) {
  const char* comma = "";
  const auto add = [&](const char* format, int first, int last = 0) {
    text.add("%s", comma);
    text.add(format, first, last);
    comma = ",";
  };
  if (as_ranges) {
    mask::each_range(mask,
                     [&](int first, int last) { add(last > first ? "%d-%d" : "%d", first, last); });
  } else {
    mask::each(mask, [&](int cpu) { add("%d", cpu); });
  }
}

// The same; without a mask "?" or nothing.
inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  if (mask != nullptr) {
    add_cpus(mask->view(), as_ranges, text);
  } else if (as_ranges) {
    text.add("?");
  }
}

}  // namespace nestbind::observe
