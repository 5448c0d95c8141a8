// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <new>

namespace nestbind::support {

// Returns `count` default-initialised objects, or null if there is no memory. The type must have no
// destructor. The caller frees the objects with free(), or never.
template <typename T>
T* allocate(std::size_t count = 1) {
  T* objects = static_cast<T*>(calloc(count, sizeof(T)));
  for (std::size_t i = 0; objects != nullptr && i < count; ++i) {
    new (objects + i) T;
  }
  return objects;
}

}  // namespace nestbind::support
