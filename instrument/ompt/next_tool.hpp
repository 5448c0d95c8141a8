// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "instrument/ompt/ompt_abi.hpp"

namespace nestbind::ompt {

// Asks the tools that the runtime would ask without us, in the runtime's order. The tools are the
// next tool in the process, those of OMP_TOOL_LIBRARIES, and, under ThreadSanitizer, Archer. Skips
// `ours`. caller: an address in the runtime. Archer may be in the folder of the runtime. Returns
// the answer of the first tool that wants to be started, or null.
StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours);

}  // namespace nestbind::ompt
