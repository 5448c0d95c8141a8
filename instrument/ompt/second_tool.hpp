// SPDX-License-Identifier: BSD-3-Clause
// OMPT has one data word for each region, but two tools need it. So the word points to a record of
// ours, which has a word for the second tool.
#pragma once

namespace nestbind::ompt {

// Starts the second tool, and registers our callbacks. If the tool declines, registers nothing.
bool start_second(int runtime, int device);

}  // namespace nestbind::ompt
