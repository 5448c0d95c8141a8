// SPDX-License-Identifier: BSD-3-Clause
// Who calls what: the functions that loaded modules have from each other.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Whether a loaded module, other than these two, has a relocation for a function of another module
// whose name begins so. Takes the loader's lock.
bool is_imported(const char* prefix, const ModuleRange& but = {}, const ModuleRange& nor = {});

}  // namespace nestbind::interpose
