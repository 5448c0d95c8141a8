// SPDX-License-Identifier: BSD-3-Clause
// Memory for a thread of ours beside the program's: from the kernel, not from the program's
// allocator, which would make a heap for that thread. Shared, so that the kernel never joins it to
// a mapping of the program's, and left out of forked children.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace nestbind::support {

// An allocator of the C++ library's kind. Each allocation is whole pages: for few large ones.
template <typename T>
struct MappedMemory {
  using value_type = T;

  MappedMemory() = default;
  template <typename Other>
  explicit(false) MappedMemory(const MappedMemory<Other>&) noexcept {}

  // Throws std::bad_alloc.
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = bytes / sizeof(T) != count
                       ? MAP_FAILED
                       : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::bad_alloc();
    }
    madvise(memory, bytes, MADV_DONTFORK);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept { munmap(memory, count * sizeof(T)); }

  friend bool operator==(const MappedMemory&, const MappedMemory&) { return true; }
};

template <typename T>
using MappedVector = std::vector<T, MappedMemory<T>>;

}  // namespace nestbind::support
