// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_PUBLISH: publishes where threads are planned, in a file (format.hpp) for other processes
// of this user. A process in which nothing is placed has no file.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::publish {

// An observer that costs nothing while threads stay in their places.
extern observe::Observer g_publish;

}  // namespace nestbind::publish
