// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_MEMORY: the process's memory is watched from the start on, and told of at its end.
#pragma once

namespace nestbind::memory {

// Once the settings are read: does what the variable asks for. Returns false, with a message, where
// its value is no wish.
bool advise_from_now();

}  // namespace nestbind::memory
