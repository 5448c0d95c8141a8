// SPDX-License-Identifier: BSD-3-Clause
// Where reports go, and what each says of its process.
#pragma once

#include "mask/cpu_mask.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// One text after the other: while it lives, no other thread writes. A forked child does not wait
// for a thread that it has not, and nobody for one that has been ended in its turn, nor a thread
// for itself, in a signal handler or further inside.
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits so many milliseconds at most, and goes on all the same then. Nobody waits again for a
  // thread that has had its turn for that long.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Whether it is this one's; not where another thread has it still, or this one further outside.
  explicit operator bool() const { return is_ours_; }

 private:
  bool take(int patience);

  const bool is_inside_;  // the thread has come here already
  const bool is_ours_;
};

// Finds the name of the file that NESTBIND_REPORT says, as it is in this process. Returns false,
// with errno, where it cannot be one. Allocates.
bool name_report();

// What a text is written to.
process::Terminal report_terminal();

// Writes a text to where NESTBIND_REPORT says, in one piece, behind those of other threads. Where
// that cannot be, one warning says so, for all texts.
void write_report(const support::TextBuffer& text);

// "process 17 on host, rank 3"; the rank where there is one.
void add_process(support::TextBuffer& text);

// "nestbind: local rank 1 of 4 (Open MPI), processors 4-7, divided: ..." and a line's end; nothing
// where nobody says that the process is a rank.
void add_part(support::TextBuffer& text);

// "nestbind: CPU quota: ..." and a line's end; nothing without one.
void add_quota(support::TextBuffer& text);

// "process": 17, "host": "host", "rank": 3 (null where there is none), and of a rank that somebody
// has told its place on the node, behind that: "part": {"local": 1, "of": 4 (null: not told),
// "by": "Open MPI", "kind": "divided", "why": "...", "cpus": [4, 5, 6, 7] (null: all of a dry run's
// machine)}; and "quota": 2, of threads in sizes that are words, if there is one
void add_json_process(support::TextBuffer& text);

// "name": "n0", where a launcher has another name for the node than the host's own: two nodes may
// be one host.
void add_json_node_name(support::TextBuffer& text);

// "0-3,8"; or "0,1,2,3,8".
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

// Likewise; "?", or nothing, without a mask.
inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  if (mask != nullptr) {
    add_cpus(mask->view(), as_ranges, text);
  } else if (as_ranges) {
    text.add("?");
  }
}

}  // namespace nestbind::observe
