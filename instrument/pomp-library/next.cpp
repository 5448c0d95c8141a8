// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include "interpose/next_function.hpp"

namespace nestbind::interpose {

// Tools are linked behind these libraries, and so is the C library.
void* find_next(const char* name) { return dlsym(RTLD_NEXT, name); }

}  // namespace nestbind::interpose
