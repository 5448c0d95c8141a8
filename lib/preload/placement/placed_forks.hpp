// SPDX-License-Identifier: BSD-3-Clause
// Places of teams, as lib/preload/team tells of these. A fork whose threads are in place costs a
// few loads: no system call, allocation or lock, and no write to memory that threads share.
#pragma once

namespace nestbind::placement {

// From now on lib/preload/team tells of forks. Once something is specified.
void follow();

}  // namespace nestbind::placement
