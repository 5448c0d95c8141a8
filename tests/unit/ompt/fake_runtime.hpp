// SPDX-License-Identifier: BSD-3-Clause
// The fake runtime 0 with OMPT. It starts a tool, and calls the tool's callbacks in the order of
// LLVM's runtime and with the same data words.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "instrument/ompt/ompt_abi.hpp"

namespace fake_ompt {

using namespace nestbind::ompt;

// The callbacks that the tool has set. An entry is null if no callback is set.
extern std::array<Function, kEvents> g_set;
extern int g_set_calls;
extern int g_set_result;  // what ompt_set_callback returns
// The region that ompt_get_parallel_info and ompt_get_task_info return, or null.
extern Data* g_region;
// Whether the tool finds ompt_set_callback.
extern bool g_has_set_callback;

Function lookup(const char* name);

// Looks for our tool, and starts it. If `second` is given, it is a tool after our tool. Returns the
// result of our tool's initialize.
int start(StartToolResult* second = nullptr);

struct Region {
  unsigned size = 0;                      // from the num_threads clause, or 0
  int flags = 0;                          // the region's flags
  const void* code = &g_set;              // null if the region has no code, as a league's teams
  bool has_frame = true;                  // the program has called the runtime's fork
  bool loses_word = false;                // the region's end passes another region's word
  std::function<void(Data&)> begun = {};  // called by the encountering thread
};

// Runs a region. Returns after the region's end.
void parallel(const Region& region, const std::function<void(int)>& body);

// Calls the callback for an initial task. Outside of leagues `number` is 1. In a league the initial
// tasks are numbered from 0, and the encountering thread has number 0.
void initial_task(int endpoint, unsigned number = 1);

}  // namespace fake_ompt
