// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

namespace nestbind::interpose {

// Tools and the C library come after these libraries in the link order.
void* find_next(const char* name) { return dlsym(RTLD_NEXT, name); }

}  // namespace nestbind::interpose
