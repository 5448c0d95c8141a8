// SPDX-License-Identifier: BSD-3-Clause
// Changing the specification while the program runs.
#pragma once

#include <cstddef>

namespace nestbind::placement {

// Like omp_set_nesting_info and omp_get_nesting_info of nestbind.h, but with the length of `text`.
int set_specification(const char* text, std::size_t length);
std::size_t get_specification(char* buffer, std::size_t size);

}  // namespace nestbind::placement
