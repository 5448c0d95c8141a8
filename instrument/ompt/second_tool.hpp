// SPDX-License-Identifier: BSD-3-Clause
// For a runtime with a second tool. OMPT has one data word for each region, and both tools need it.
// So the runtime's word points to a record of ours, which contains a word for the second tool.
// Words of tasks and threads belong to the second tool alone.
#pragma once

namespace nestbind::ompt {

// Starts the second tool of a runtime and registers our callbacks. Returns whether the tool wanted
// to be started; if not, registers nothing.
bool start_second(int runtime, int device);

}  // namespace nestbind::ompt
