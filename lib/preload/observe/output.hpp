// SPDX-License-Identifier: BSD-3-Clause
// Writes reports, and the text about the process in each report.
#pragma once

#include "mask/cpu_mask.hpp"
#include "process/output_file.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::observe {

// While a thread has a Turn, no other thread writes, so that texts come one after the other. A
// thread waits for its turn, but not for itself (in a signal handler or a nested call). No thread
// waits for a thread of the parent process, nor for ever if the other thread has ended in its turn.
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits at most `patience` milliseconds for the turn. If another thread still has the turn then,
  // goes on without it, and later no thread waits for that thread.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Whether this object has the turn. If not, another thread or an outer call has the turn.
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

// Writes a text with one write to the report's file or the standard error output. The first failure
// prints a warning, later failures print nothing.
void write_report(const support::TextBuffer& text);

// Adds "process 17 on host, rank 3"; without a rank, "process 17 on host".
void add_process(support::TextBuffer& text);

// For ranks, adds "nestbind: local rank 1 of 4 (Open MPI), processors 4-7, divided: ...\n".
void add_part(support::TextBuffer& text);

// If there is a quota, adds "nestbind: CPU quota: ...\n".
void add_quota(support::TextBuffer& text);

// Adds "process": 17, "host": "host", "rank": 3 (null: no rank). For a rank on the node, also adds
// "part": {"local": 1, "of": 4 (null: not told), "by": "Open MPI", "kind": "divided", "why": "...",
// "cpus": [4, 5, 6, 7] (null: all of a dry run's machine)}. If there is a CPU quota, also adds
// "quota": 2, the limit for the product of sizes that are words.
void add_json_process(support::TextBuffer& text);

// Adds "name": "n0" if the launcher's name of the node is not the host's name. For example, a test
// may start two nodes on one host.
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
