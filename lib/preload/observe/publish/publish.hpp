// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_PUBLISH: publishes the planned places of threads in a file (format.hpp), for other
// processes of this user. If nothing is placed in a process, it has no file.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::publish {

// An observer that costs nothing while threads stay in their places.
extern observe::Observer g_publish;

}  // namespace nestbind::publish
