// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "instrument/ompt/ompt_abi.hpp"

namespace nestbind::ompt {

// First asks the next tool in the process, then the libraries of OMP_TOOL_LIBRARIES. Under
// ThreadSanitizer, asks Archer last. Skips `ours`. `caller` is an address in the runtime. Returns
// the answer of the first tool that wants to be started, or null.
StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours);

}  // namespace nestbind::ompt
