// SPDX-License-Identifier: BSD-3-Clause
// A waiting worker takes no signal that the program's threads block.
#pragma once

namespace nestbind::workers {

// The calling thread is about to change its signal mask. Returns after all waiting workers block
// all signals. Signal handlers may call this. Keeps errno.
void note_mask_change();

// Calls note_mask_change() if `next` (in the kernel's form) differs from the thread's mask.
void note_mask(const void* next);

}  // namespace nestbind::workers
