// SPDX-License-Identifier: BSD-3-Clause
// The report on loops (NESTBIND_REPORT) at the end of the process: what was measured of each loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/text_buffer.hpp"

namespace nestbind::observe {

// The measurements of one loop, summed over all its teams of one size.
struct LoopSeen {
  const char* function = nullptr;  // that has the loop, or that is called there; null: not known
  std::uintptr_t in_function = 0;  // distance from the function's beginning
  const char* module = nullptr;    // the function's file; null: not known
  std::uintptr_t in_module = 0;    // address in the file, for addr2line(1), or in memory
  const char* build_id = nullptr;  // of this file; null: it has none
  int threads = 0;                 // number of threads of each team
  std::uint64_t teams = 0;         // teams that were in the loop
  std::uint64_t executions = 0;    // of all teams
  std::uint64_t iterations = 0;    // of all executions
  bool had_owners = false;     // in the last execution; if so, `fraction` and `chunk` are not used
  std::uint64_t fraction = 0;  // static part in the last execution, in 1/10000
  std::uint64_t chunk = 0;     // size of the chunks that were used in the last execution
  std::uint64_t of_block = 0;  // iterations in static parts
  std::uint64_t of_own_queue = 0;      // iterations in chunks from a thread's own queue
  bool has_shared_queue = false;       // several threads have the same own queue
  std::uint64_t stolen_in_cache = 0;   // iterations in chunks from a queue under the same L2 or L3
  std::uint64_t stolen_in_node = 0;    // iterations in chunks from a queue on the same NUMA node
  std::uint64_t stolen_elsewhere = 0;  // iterations in other chunks, or if places are not known
  std::uint64_t imbalance = 0;  // of the last execution: longest / mean time of its threads, in
                                // hundredths; 0: not measured
  std::uint64_t measured = 0;   // executions in which `time` and `lost` were measured
  std::uint64_t time = 0;       // ns: from the first thread's begin to the last thread's end
  std::uint64_t lost = 0;       // ns: mean wait for the last thread
  // The figures below are for loops whose blocks have owners. Figures marked as a sum are over all
  // teams. The other figures are of the team that executed the loop most often.
  std::uint64_t blocks = 0;            // number of blocks; 0: the blocks never had owners
  std::uint64_t looks = 0;             // how often better owners were looked for: a sum
  std::uint64_t migrations = 0;        // changes of owners: a sum
  std::uint64_t imbalance_before = 0;  // heaviest thread / mean, in hundredths, before the
  std::uint64_t imbalance_after = 0;   // last look with a change, and after it; 0: no look
  std::uint64_t block_runs = 0;        // blocks run in measured executions: a sum
  std::uint64_t remote_runs = 0;       // of block_runs, not on the node of the block's first run
};

struct LoopsSeen {
  const char* schedule = "";        // the schedule in force at the end, or the last schedule
  bool has_places = false;          // the places of threads are known
  bool takes_dynamic = false;       // the schedule also controls dynamic loops
  bool runtime_was_chosen = false;  // the program called omp_set_schedule
  const char* unseen = nullptr;  // why the program's loops cannot be seen; null: they can be seen
  bool some_left_out = false;    // there were too many loops to keep all
  const LoopSeen* loops = nullptr;
  std::size_t count = 0;
};

// Adds the section about loops, as text or as one line of JSON.
void add_loops_text(const LoopsSeen& seen, support::TextBuffer& text);
void add_loops_json(const LoopsSeen& seen, support::TextBuffer& text);

// Reports loops in the format of NESTBIND_REPORT. If this variable is not set, does nothing.
void report_loops(const LoopsSeen& seen);

}  // namespace nestbind::observe
