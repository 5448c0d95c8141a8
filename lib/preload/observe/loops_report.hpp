// SPDX-License-Identifier: BSD-3-Clause
// The part of NESTBIND_REPORT that is about loops: what was measured of each, when the process
// ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/text_buffer.hpp"

namespace nestbind::observe {

// A loop in teams of one size, of all these teams together.
struct LoopSeen {
  const char* function = nullptr;      // where it begins, or what is called there; null: not known
  std::uintptr_t in_function = 0;      // how far behind the function's begin
  const char* module = nullptr;        // its file; null: not known
  std::uintptr_t in_module = 0;        // as addr2line(1) takes it; an address where there is none
  const char* build_id = nullptr;      // of this file; null: it has none
  int threads = 0;                     // of each team
  std::uint64_t teams = 0;             // that were in it
  std::uint64_t executions = 0;        // of all teams
  std::uint64_t iterations = 0;        // of all executions
  bool had_owners = false;             // the last time, its blocks: the next two do not count
  std::uint64_t fraction = 0;          // that was static the last time, in 1/10000
  std::uint64_t chunk = 0;             // of the last time, as it was taken
  std::uint64_t of_block = 0;          // iterations: static ones,
  std::uint64_t of_own_queue = 0;      // chunks from a thread's own queue,
  bool has_shared_queue = false;       // which is the one of others as well
  std::uint64_t stolen_in_cache = 0;   // from a queue beside the same L2 or L3,
  std::uint64_t stolen_in_node = 0;    // the same NUMA node,
  std::uint64_t stolen_elsewhere = 0;  // and from others, or where it is not known
  std::uint64_t imbalance = 0;  // of the last execution: longest / mean time of its threads, in
                                // hundredths; 0: not measured
  std::uint64_t measured = 0;   // executions that the following are of
  std::uint64_t time = 0;       // ns: from the first thread's begin to the last one's end
  std::uint64_t lost = 0;       // ns: mean wait for the last thread
  // Where blocks have owners; 0 blocks: they never had. The following are of the team that was in
  // the loop most often, but for the sums.
  std::uint64_t blocks = 0;            // of the loop
  std::uint64_t looks = 0;             // whether other owners would be better: a sum, as
  std::uint64_t migrations = 0;        // changes of owners
  std::uint64_t imbalance_before = 0;  // at the last look with a change, as it was measured: the
  std::uint64_t imbalance_after = 0;   // heaviest thread over the mean, in hundredths; 0: no look
  std::uint64_t block_runs = 0;        // blocks run in measured executions: a sum,
  std::uint64_t remote_runs = 0;       // those of them on another node than at first
};

struct LoopsSeen {
  const char* schedule = "";        // in force at the end, or at last
  bool has_places = false;          // where threads are is known
  bool takes_dynamic = false;       // by that schedule
  bool runtime_was_chosen = false;  // by omp_set_schedule
  const char* unseen = nullptr;     // why loops cannot be seen, about the program; null: they can
  bool some_left_out = false;       // there were more loops than are kept
  const LoopSeen* loops = nullptr;
  std::size_t count = 0;
};

// The section as text, or one line of JSON.
void add_loops_text(const LoopsSeen& seen, support::TextBuffer& text);
void add_loops_json(const LoopsSeen& seen, support::TextBuffer& text);

// Reports it as NESTBIND_REPORT says; where that is not set, nothing.
void report_loops(const LoopsSeen& seen);

}  // namespace nestbind::observe
