// SPDX-License-Identifier: BSD-3-Clause
// A signal that the program's threads block does not come to a worker that waits.
#pragma once

namespace nestbind::workers {

// The calling thread is about to change which signals it blocks: returns when all workers that wait
// block all signals. Also in a signal handler; keeps errno.
void note_mask_change();

// It is about to block these, which it may do already: the kernel's words. Likewise.
void note_mask(const void* next);

}  // namespace nestbind::workers
