// SPDX-License-Identifier: BSD-3-Clause
// The report on loops (NESTBIND_REPORT) at the end of the process: what was measured of each loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/text_buffer.hpp"

namespace nestbind::observe {

// A loop in all its teams of one size, taken together.
struct LoopSeen {
  const char* function = nullptr;     // that it begins in, or that is called there; null: not known
  std::uintptr_t in_function = 0;     // from the function's begin
  const char* module = nullptr;       // its file; null: not known
  std::uintptr_t in_module = 0;       // as addr2line(1) takes it; without a file, the address
  const char* build_id = nullptr;     // of this file; null: it has none
  int threads = 0;                    // of each team
  std::uint64_t teams = 0;            // teams that were in the loop
  std::uint64_t executions = 0;       // of all teams
  std::uint64_t iterations = 0;       // of all executions
  bool had_owners = false;            // the last time; if so, `fraction` and `chunk` do not count
  std::uint64_t fraction = 0;         // static part of the last time, in 1/10000
  std::uint64_t chunk = 0;            // of the last time, as it was taken
  std::uint64_t of_block = 0;         // iterations in static blocks
  std::uint64_t of_own_queue = 0;     // in chunks from a thread's own queue
  bool has_shared_queue = false;      // some own queues have several threads
  std::uint64_t stolen_in_cache = 0;  // in chunks from a queue under the same L2 or L3
  std::uint64_t stolen_in_node = 0;   // in chunks from the same NUMA node
  std::uint64_t stolen_elsewhere = 0;  // in other chunks, or places not known
  std::uint64_t imbalance = 0;  // of the last execution: longest / mean time of its threads, in
                                // hundredths; 0: not measured
  std::uint64_t measured = 0;   // executions that the next two are of
  std::uint64_t time = 0;       // ns: from the first thread's begin to the last one's end
  std::uint64_t lost = 0;       // ns: mean wait for the last thread
  // For blocks with owners. 0 blocks: they never had owners. Sums are over all teams; the rest is
  // of the team that was in the loop most often.
  std::uint64_t blocks = 0;            // of the loop
  std::uint64_t looks = 0;             // looks for better owners: a sum
  std::uint64_t migrations = 0;        // changes of owners: a sum
  std::uint64_t imbalance_before = 0;  // heaviest thread over mean, in hundredths, before the
  std::uint64_t imbalance_after = 0;   // last look with a change, and after it; 0: no look
  std::uint64_t block_runs = 0;        // blocks run in measured executions: a sum
  std::uint64_t remote_runs = 0;       // of these, on another node than at first: a sum
};

struct LoopsSeen {
  const char* schedule = "";        // the schedule in force at the end, or the last one
  bool has_places = false;          // it is known where threads are
  bool takes_dynamic = false;       // the schedule takes dynamic loops
  bool runtime_was_chosen = false;  // by omp_set_schedule
  const char* unseen = nullptr;     // why loops cannot be seen, about the program; null: they can
  bool some_left_out = false;       // there were too many loops to keep all
  const LoopSeen* loops = nullptr;
  std::size_t count = 0;
};

// The section as text, or one line of JSON.
void add_loops_text(const LoopsSeen& seen, support::TextBuffer& text);
void add_loops_json(const LoopsSeen& seen, support::TextBuffer& text);

// Reports loops as NESTBIND_REPORT says; if it is not set, does nothing.
void report_loops(const LoopsSeen& seen);

}  // namespace nestbind::observe
