// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::interpose {

// From now on the module of an address calls `to`, where it calls the function of another module
// with this name. Returns false where it does not, or nobody may change that.
bool redirect(const void* inside, const char* name, void* to);

}  // namespace nestbind::interpose
