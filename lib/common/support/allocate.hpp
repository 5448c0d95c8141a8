// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <new>

namespace nestbind::support {

// `count` objects without destructors, as their type initialises them; null without memory. For
// free(), or for good.
template <typename T>
T* allocate(std::size_t count = 1) {
  T* objects = static_cast<T*>(calloc(count, sizeof(T)));
  for (std::size_t i = 0; objects != nullptr && i < count; ++i) {
    new (objects + i) T;
  }
  return objects;
}

}  // namespace nestbind::support
