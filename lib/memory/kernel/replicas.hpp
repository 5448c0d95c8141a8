// SPDX-License-Identifier: BSD-3-Clause
// Read-only copies of a range, one on each node.
#pragma once

#include <nestbind/memory.h>

#include <cstddef>
#include <span>

namespace nestbind::memory::kernel {

// Processors of other nodes use the nearest copy. Returns a nestbind_error, and sets `replicas` for
// NESTBIND_OK and NESTBIND_PARTLY_PLACED. The caller must free `replicas` with release(). Throws
// only std::bad_alloc.
int replicate(const void* p, std::size_t bytes, std::span<const int> nodes,
              nestbind_replicas*& replicas);

void release(nestbind_replicas* replicas);

}  // namespace nestbind::memory::kernel
