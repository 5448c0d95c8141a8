// SPDX-License-Identifier: BSD-3-Clause
// Places of teams, as lib/preload/team tells of these. A fork whose threads are in place costs a
// few loads: no system call, allocation or lock, and no write to memory that threads share.
#pragma once

namespace nestbind::placement {

// From now on lib/preload/team tells of forks. Once something is specified.
void follow();

// The same where root threads divide the plan: each tells when it is outside of regions. After that
// another specification may be followed that is not divided.
void follow_roots();

}  // namespace nestbind::placement
