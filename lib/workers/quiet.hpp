// SPDX-License-Identifier: BSD-3-Clause
// Which signals a thread blocks.
#pragma once

namespace nestbind::workers {

// The calling thread is about to change which signals it blocks. Also in a signal handler; keeps
// errno.
void note_mask_change();

// It is about to block these, which it may do already: the kernel's words. Keeps errno.
void note_mask(const void* next);

}  // namespace nestbind::workers
