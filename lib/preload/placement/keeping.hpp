// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::placement {

// Keeps the workers of inner teams from now on, unless the user or the process is against it. Once
// the settings are read.
void decide_on_workers();

// Before and behind a pause of an OpenMP runtime, which ends its own threads: kept ones that wait
// end, too. Returns when they have.
void end_idle_workers();

}  // namespace nestbind::placement
