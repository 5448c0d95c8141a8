// SPDX-License-Identifier: BSD-3-Clause
// What a program asks of its threads' places.
#pragma once

#include <nestbind/nestbind.h>

namespace nestbind::placement {

// As the functions of nestbind.h with these names.
int get_place(nestbind_place* place);
int get_cpus(int* cpus, int capacity);

}  // namespace nestbind::placement
