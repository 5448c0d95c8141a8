// SPDX-License-Identifier: BSD-3-Clause
// Changing the schedule of loops while the program runs.
#pragma once

#include <cstddef>

namespace nestbind::worksharing {

// As nestbind_set_schedule and nestbind_get_schedule of nestbind.h; texts by length.
int set_schedule(const char* text, std::size_t length);
std::size_t get_schedule(char* buffer, std::size_t size);

// The calling task has called omp_set_schedule: its schedule(runtime) loops are the runtime's from
// now on. In a region that begins after its next barrier, for all members, since they have to
// agree; in regions that it forks at once.
void runtime_is_chosen();

// Whether somebody has.
bool was_runtime_chosen();

}  // namespace nestbind::worksharing
