// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "instrument/ompt/ompt_abi.hpp"

namespace nestbind::ompt {

// Asks those tools that the runtime would have asked had we declined, in its order: the next one in
// the process, the libraries in OMP_TOOL_LIBRARIES, and, under ThreadSanitizer, Archer.
//
// caller: an address in the runtime; Archer may lie beside it.
// ours: is left out.
// Returns what the first that wants to be started has given, or null.
StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours);

}  // namespace nestbind::ompt
