// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::options {

// Returns a variable's value, or null if it is unset or empty, or the program is set-user-ID.
const char* variable(const char* name);

}  // namespace nestbind::options
