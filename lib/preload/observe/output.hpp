// SPDX-License-Identifier: BSD-3-Clause
// Writes reports, and adds facts about the process to them.
#pragma once

#include "mask/cpu_ranges.hpp"
#include "process/output_file.hpp"
#include "support/text_writer.hpp"

namespace nestbind::observe {

// While a thread has a Turn, no other thread writes a report. A signal handler may interrupt a
// thread that has a Turn. A Turn in this handler does not wait. No thread waits for a thread of the
// parent process. The wait is limited, because a thread may end during its turn.
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits at most `patience` milliseconds. After a failed wait, the Turn is false. Later threads
  // then do not wait at all.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  explicit operator bool() const { return is_ours_; }

 private:
  bool take(int patience);

  const bool is_inside_;
  const bool is_ours_;
};

// If the name is impossible, returns false and sets errno.
bool name_report();

process::Terminal report_terminal();

// Writes a text with one write to the report's file or the standard error output. Only the first
// failure prints a warning.
void write_report(const support::TextBuffer& text);

void add_process(support::TextBuffer& text);

void add_part(support::TextBuffer& text);
void add_tree_part(support::TextBuffer& text);
void add_mask_setter(support::TextBuffer& text);

void add_quota(support::TextBuffer& text);

// Adds the devices that `nestbind run` has given this process (NESTBIND_GIVEN_DEVICES).
void add_given_devices(support::TextBuffer& text);

// Adds "process": 17, "host": "host", "rank": 3. If the process is not a rank, adds "rank": null.
// For a rank on the node, also adds "part" (lib/preload/ranks/README.md). If there is a CPU quota,
// also adds "quota": 2.
void add_json_process(support::TextBuffer& text);

// Adds "name": "n0" if the launcher's name of the node is not the host's name.
void add_json_node_name(support::TextBuffer& text);

// Adds processors, as "0-3,8" or as "0,1,2,3,8".
inline void add_cpus(const mask::CpuMask& mask, bool as_ranges, support::TextBuffer& text) {
  if (as_ranges) {
    mask::add_ranges(mask, text);
    return;
  }
  const char* comma = "";
  mask::each(mask, [&](int cpu) {
    text.add("%s%d", comma, cpu);
    comma = ",";
  });
}

inline void add_cpus(const mask::MaskBuffer* mask, bool as_ranges, support::TextBuffer& text) {
  if (mask != nullptr) {
    add_cpus(mask->view(), as_ranges, text);
  } else if (as_ranges) {
    text.add("?");
  }
}

}  // namespace nestbind::observe
