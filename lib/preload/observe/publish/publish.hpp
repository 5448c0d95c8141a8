// SPDX-License-Identifier: BSD-3-Clause
// Implements NESTBIND_PUBLISH: writes the planned places of threads into a file (format.hpp), for
// other processes of this user. A process in which no thread gets a place has no file.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::publish {

extern observe::Observer g_publish;

}  // namespace nestbind::publish
