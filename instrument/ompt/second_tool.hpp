// SPDX-License-Identifier: BSD-3-Clause
// OMPT has one data word for each region, but two tools need it: the word points to a record of
// ours with a word for the second tool. Words of tasks and threads are the second tool's alone.
#pragma once

namespace nestbind::ompt {

// Starts the second tool, and registers our callbacks. False: it declined; nothing is registered.
bool start_second(int runtime, int device);

}  // namespace nestbind::ompt
