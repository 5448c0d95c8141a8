// SPDX-License-Identifier: BSD-3-Clause
// The sources of the instrumented regions, known by the address of their handle. What a handle
// holds belongs to the POMP2 library behind, where there is one.
#pragma once

#include <nestbind/region.h>

namespace nestbind::opari2 {

// Notes where a region comes from, the first time. For later calls a few loads.
void note_region(const void* handle, const char* ctc);

// Where a region comes from; null where it was not noted.
const nestbind_region* region_of(const void* handle);

}  // namespace nestbind::opari2
