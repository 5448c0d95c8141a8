// SPDX-License-Identifier: BSD-3-Clause
// A waiting worker takes no signal that the program's threads block.
#pragma once

namespace nestbind::workers {

// Called when the calling thread is about to change its signal mask. Returns after all waiting
// workers have blocked all signals. Signal handlers may call this.
void note_mask_change();

// Calls note_mask_change() if `next` (the kernel's form) differs from the thread's signal mask.
void note_mask(const void* next);

}  // namespace nestbind::workers
