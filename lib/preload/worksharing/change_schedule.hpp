// SPDX-License-Identifier: BSD-3-Clause
// Changes the schedule of loops while the program runs.
#pragma once

#include <cstddef>

namespace nestbind::worksharing {

// Like nestbind_set_schedule and nestbind_get_schedule of nestbind.h, but `text` has a length.
int set_schedule(const char* text, std::size_t length);
std::size_t get_schedule(char* buffer, std::size_t size);

// Notes that the calling task has called omp_set_schedule. Then the runtime shares the task's
// schedule(runtime) loops. For the present region, this holds after the next barrier, because all
// members must agree. For regions that the task forks, this holds at once.
void runtime_is_chosen();

bool was_runtime_chosen();

}  // namespace nestbind::worksharing
