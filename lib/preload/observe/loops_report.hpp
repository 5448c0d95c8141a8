// SPDX-License-Identifier: BSD-3-Clause
// The report on loops (NESTBIND_REPORT) at the end of the process: what was measured of each loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/text_writer.hpp"

namespace nestbind::observe {

struct LoopSeen {
  const char* function = nullptr;  // null if it is not known
  std::uintptr_t in_function = 0;
  const char* module = nullptr;    // file of the function, or null
  std::uintptr_t in_module = 0;    // address in the file, for addr2line(1), or in memory
  const char* build_id = nullptr;  // build id of the module, or null
  int threads = 0;
  std::uint64_t teams = 0;
  std::uint64_t executions = 0;
  std::uint64_t iterations = 0;
  bool had_owners = false;
  std::uint64_t fraction = 0;  // static part in the last execution, in 1/10000
  std::uint64_t chunk = 0;
  std::uint64_t of_block = 0;
  std::uint64_t of_own_queue = 0;
  bool has_shared_queue = false;
  std::uint64_t stolen_in_cache = 0;  // iterations from threads with the same L2 or L3
  std::uint64_t stolen_in_node = 0;   // iterations from threads on the same NUMA node
  // All other stolen iterations.
  std::uint64_t stolen_elsewhere = 0;
  // The longest time of a thread divided by the mean time, in hundredths. The value is from the
  // last execution. It is 0 if nothing was measured.
  std::uint64_t imbalance = 0;
  std::uint64_t measured = 0;
  std::uint64_t time = 0;  // ns: from the first thread's begin to the last thread's end
  std::uint64_t lost = 0;  // ns: mean wait for the last thread
  // The figures below are for loops whose blocks have owners. `looks`, `migrations`, `block_runs`
  // and `remote_runs` are sums over all teams. The other figures are of the team that executed the
  // loop most often.
  std::uint64_t blocks = 0;  // number of blocks; 0: the blocks never had owners
  std::uint64_t looks = 0;
  std::uint64_t migrations = 0;  // changes of owners
  // Before the last change of owners, the largest load of a thread divided by the mean load, in
  // hundredths. The value is 0 if there was no look.
  std::uint64_t imbalance_before = 0;
  std::uint64_t imbalance_after = 0;  // this ratio after the change
  std::uint64_t block_runs = 0;       // in measured executions
  std::uint64_t remote_runs = 0;      // on another node than the first run
};

struct LoopsSeen {
  const char* schedule = "";  // the schedule in force at the end, or the last schedule
  bool has_places = false;
  bool takes_dynamic = false;
  bool runtime_was_chosen = false;
  const char* unseen = nullptr;  // why the program's loops cannot be seen; null: they can be seen
  bool some_left_out = false;
  const LoopSeen* loops = nullptr;
  std::size_t count = 0;
};

void add_loops_text(const LoopsSeen& seen, support::TextBuffer& text);
void add_loops_json(const LoopsSeen& seen, support::TextBuffer& text);

// Reports loops in the format of NESTBIND_REPORT.
void report_loops(const LoopsSeen& seen);

}  // namespace nestbind::observe
