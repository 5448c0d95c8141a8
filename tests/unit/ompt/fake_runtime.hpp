// SPDX-License-Identifier: BSD-3-Clause
// The fake runtime 0 with OMPT: it starts a tool, and calls the tool's callbacks in the order of
// LLVM's runtime and with its data words.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "instrument/ompt/ompt_abi.hpp"

namespace fake_ompt {

using namespace nestbind::ompt;

// The callbacks that are set; null: none.
extern std::array<Function, kEvents> g_set;
extern int g_set_calls;
extern int g_set_result;  // what ompt_set_callback returns
// The answer of ompt_get_parallel_info and ompt_get_task_info; null: no region.
extern Data* g_region;
// Whether ompt_set_callback can be found.
extern bool g_has_set_callback;

Function lookup(const char* name);

// Looks for our tool, with `second` after it if it is given, and starts it. Returns the result of
// the tool's initialize.
int start(StartToolResult* second = nullptr);

struct Region {
  unsigned size = 0;                      // of the num_threads clause; 0: none
  int flags = 0;                          // the region's flags
  const void* code = &g_set;              // null: none, as in a league's teams
  bool has_frame = true;                  // the program has entered the runtime to fork it
  bool loses_word = false;                // at the end another region's word is passed
  std::function<void(Data&)> begun = {};  // by the encountering thread, with the region's word
};

// Runs a region; returns after its end.
void parallel(const Region& region, const std::function<void(int)>& body);

// The same for an initial task. number: 1 outside of leagues. In a league tasks are numbered from
// 0, and the encountering thread has the first.
void initial_task(int endpoint, unsigned number = 1);

}  // namespace fake_ompt
