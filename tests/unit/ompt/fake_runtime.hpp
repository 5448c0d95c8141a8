// SPDX-License-Identifier: BSD-3-Clause
// The fake runtime 0 with OMPT: it starts a tool, and calls what the tool has set, in the order and
// with the words of LLVM's.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "instrument/ompt/ompt_abi.hpp"

namespace fake_ompt {

using namespace nestbind::ompt;

// What is set with the runtime now; null: nothing.
extern std::array<Function, kEvents> g_set;
extern int g_set_calls;
extern int g_set_result;  // what ompt_set_callback returns
// What ompt_get_parallel_info and ompt_get_task_info find; null: no region.
extern Data* g_region;
// Whether ompt_set_callback can be looked up.
extern bool g_has_set_callback;

Function lookup(const char* name);

// Asks for our tool, with `second` behind it where it is given, and starts it. Returns what its
// initialize does.
int start(StartToolResult* second = nullptr);

struct Region {
  unsigned size = 0;                      // of the num_threads clause; 0: none
  int flags = 0;                          // of the region
  const void* code = &g_set;              // null: none, as in a league's teams
  bool has_frame = true;                  // the program has entered the runtime for it
  bool loses_word = false;                // at the end another region's word is shown
  std::function<void(Data&)> begun = {};  // by the encountering thread, with the region's word
};

// A region; returns when it has ended.
void parallel(const Region& region, const std::function<void(int)>& body);

// The same for an initial task. number: as the interface has it, 1 outside of leagues; of those in
// a league, which are numbered from 0, the encountering thread has the first.
void initial_task(int endpoint, unsigned number = 1);

}  // namespace fake_ompt
