// SPDX-License-Identifier: BSD-3-Clause
// Writes reports, and the text about the process in each report.
#pragma once

#include "mask/cpu_mask.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// While a Turn exists, no other thread writes, so that texts come one after the other. In a forked
// child, a thread does not wait for a thread of the parent. In a signal handler or a nested call,
// a thread does not wait for itself. No thread waits for ever for a thread that ended in its turn.
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits at most `patience` milliseconds, and then goes on without the turn. After that, no thread
  // waits again for the thread that has the turn.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Whether this object has the turn, and no other thread or outer call.
  explicit operator bool() const { return is_ours_; }

 private:
  bool take(int patience);

  const bool is_inside_;  // the thread is already in a Turn
  const bool is_ours_;
};

// Finds the report's file. If the name is impossible, returns false and sets errno. Allocates
// memory.
bool name_report();

process::Terminal report_terminal();

// Writes a text in one piece to the report's file or the standard error output. If this fails,
// prints one warning for all texts.
void write_report(const support::TextBuffer& text);

// Adds "process 17 on host, rank 3"; without a rank, "process 17 on host".
void add_process(support::TextBuffer& text);

// For a rank, adds "nestbind: local rank 1 of 4 (Open MPI), processors 4-7, divided: ...\n".
void add_part(support::TextBuffer& text);

// If there is a quota, adds "nestbind: CPU quota: ...\n".
void add_quota(support::TextBuffer& text);

// Adds "process": 17, "host": "host", "rank": 3 (null: none). For a rank on the node, also adds
// "part": {"local": 1, "of": 4 (null: not told), "by": "Open MPI", "kind": "divided", "why": "...",
// "cpus": [4, 5, 6, 7] (null: all of a dry run's machine)}. If there is a CPU quota, also adds
// "quota": 2, the most threads for sizes that are words.
void add_json_process(support::TextBuffer& text);

// Adds "name": "n0" if the launcher's name of the node is not the host's: a host may be two nodes.
void add_json_node_name(support::TextBuffer& text);

// Adds processors, as "0-3,8" or as "0,1,2,3,8".
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

// Adds processors. For a null mask adds "?" (as ranges) or nothing.
inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  if (mask != nullptr) {
    add_cpus(mask->view(), as_ranges, text);
  } else if (as_ranges) {
    text.add("?");
  }
}

}  // namespace nestbind::observe
