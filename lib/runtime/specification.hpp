// SPDX-License-Identifier: BSD-3-Clause
// Changing and asking for the specification while the program runs.
#pragma once

#include <nestbind/nestbind.h>

#include <cstddef>

namespace nestbind::runtime {

// As the functions of nestbind.h with these names; texts by length.
int set_specification(const char* text, std::size_t length);
std::size_t get_specification(char* buffer, std::size_t size);
int get_place(nestbind_place* place);
int get_cpus(int* cpus, int capacity);

}  // namespace nestbind::runtime
