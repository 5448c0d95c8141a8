// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <new>

namespace nestbind::support {

// `count` default-initialised objects of a type without a destructor; null: there is no memory. The
// caller calls free(), or never frees them.
template <typename T>
T* allocate(std::size_t count = 1) {
  T* objects = static_cast<T*>(calloc(count, sizeof(T)));
  for (std::size_t i = 0; objects != nullptr && i < count; ++i) {
    new (objects + i) T;
  }
  return objects;
}

}  // namespace nestbind::support
