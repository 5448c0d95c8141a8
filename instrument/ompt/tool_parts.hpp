// SPDX-License-Identifier: BSD-3-Clause
// Declares what start_tool.cpp uses of next_tool.cpp, ompt_display.cpp, alone.cpp and
// second_tool.cpp.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"

namespace nestbind::ompt {

// Starts the second tool, and registers our callbacks. If the tool declines, registers nothing.
bool start_second(int runtime, int device);

// First asks the next tool in the process, then the libraries of OMP_TOOL_LIBRARIES. Under
// ThreadSanitizer, asks Archer last. Skips `ours`. `caller` is an address in the runtime. Returns
// the answer of the first tool that wants to be started, or null.
StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours);

// Called before a runtime reads its variables. Hides OMP_DISPLAY_AFFINITY if we can reach the
// runtime's functions. We then print the lines ourselves. caller: an address in the runtime.
void hide_display(const void* caller);

// Called after the runtime has read its variables. Returns false if the variable was not hidden.
bool show_display_again();

// Registers the callbacks for a runtime whose only tool is ours. Several calls do no harm.
void register_alone(int runtime);

}  // namespace nestbind::ompt
