// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_PUBLISH: tells other processes of this user where the threads are planned, in a file
// (format.hpp). Of a process in which nothing is placed there is none.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::publish {

// An observer that costs nothing where threads stay where they are.
extern observe::Observer g_publish;

}  // namespace nestbind::publish
