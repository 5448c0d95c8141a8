// SPDX-License-Identifier: BSD-3-Clause
// The fake runtime 0 with OMPT. It calls a tool's callbacks in the order of LLVM's runtime and with
// the same data words.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "instrument/ompt/ompt_abi.hpp"

namespace fake_ompt {

using namespace nestbind::ompt;

// The tool's callbacks; an entry may be null.
extern std::array<Function, kEvents> g_set;
extern int g_set_calls;
extern int g_set_result;  // what ompt_set_callback returns
// The region that ompt_get_parallel_info and ompt_get_task_info return, or null.
extern Data* g_region;
extern bool g_has_set_callback;

Function lookup(const char* name);

// Starts our tool, and returns the result of its initialize.
int start(StartToolResult* second = nullptr);

struct Region {
  unsigned size = 0;  // from the num_threads clause, or 0
  int flags = 0;
  const void* code = &g_set;              // null for a region without code
  bool has_frame = true;                  // the program has called the runtime's fork
  bool loses_word = false;                // The end event has another word.
  bool names_outermost = false;           // the primary thread's task at the end
  std::function<void(Data&)> begun = {};  // called by the encountering thread
};

void parallel(const Region& region, const std::function<void(int)>& body);

// Outside of leagues `number` is 1. In a league the encountering thread has number 0.
void initial_task(int endpoint, unsigned number = 1);

}  // namespace fake_ompt
