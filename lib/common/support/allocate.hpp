// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <cstdint>
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

// Divides a block of memory into arrays, each in cache lines of its own.
class Carver {
 public:
  // memory: aligned to 64 bytes, or null to count the bytes.
  explicit Carver(void* memory) : begin_(reinterpret_cast<std::uintptr_t>(memory)) {}

  template <typename Object>
  Object* take(std::size_t count) {
    constexpr std::size_t kLine = 64;
    static_assert(alignof(Object) <= kLine);
    const std::uintptr_t here = begin_ + bytes_;
    bytes_ += (count * sizeof(Object) + kLine - 1) / kLine * kLine;
    return reinterpret_cast<Object*>(here);  // NOLINT(performance-no-int-to-ptr)
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::uintptr_t begin_;
  std::size_t bytes_ = 0;
};

}  // namespace nestbind::support
