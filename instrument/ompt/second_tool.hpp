// SPDX-License-Identifier: BSD-3-Clause
// OMPT has one data word for each region, but both tools use a word. So the data word is the
// address of our record. The record contains a word for the second tool.
#pragma once

namespace nestbind::ompt {

// Starts the second tool, and registers our callbacks. If the tool declines, registers nothing.
bool start_second(int runtime, int device);

}  // namespace nestbind::ompt
