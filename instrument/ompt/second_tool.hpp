// SPDX-License-Identifier: BSD-3-Clause
// For a runtime with a second tool. OMPT has one data word for each region, which both of us want:
// the runtime's word then has a record of ours, with a word for the second tool in it. Task and
// thread words are the second tool's alone.
#pragma once

namespace nestbind::ompt {

// Starts the second tool of a runtime, and registers our callbacks. Returns whether it wanted to be
// started; if not, nothing is registered.
bool start_second(int runtime, int device);

}  // namespace nestbind::ompt
