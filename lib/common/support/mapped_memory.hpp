// SPDX-License-Identifier: BSD-3-Clause
// Memory for a thread of ours beside the program's: from the kernel, not from the program's
// allocator, which would make a heap for that thread. Shared, so that the kernel never joins it to
// a mapping of the program's, and left out of forked children.
#pragma once

#include <sys/mman.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace nestbind::support {

// Where the kernel is asked to put it, if that is free: far from where it puts what a program maps.
// One that gives memory back, to map other memory at the same address right after, has no thread
// that takes the place meanwhile, unless it is ours. Another address each nanosecond.
inline void* place_apart() {
  constexpr std::uintptr_t kBegin = std::uintptr_t{1} << 45;
  constexpr std::uintptr_t kStep = std::uintptr_t{1} << 16;
  constexpr std::uintptr_t kSecond = 1000000000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::uintptr_t time =
      static_cast<std::uintptr_t>(now.tv_sec) * kSecond + static_cast<std::uintptr_t>(now.tv_nsec);
  return reinterpret_cast<void*>(  // NOLINT(performance-no-int-to-ptr)
      kBegin + time * kStep % kBegin);
}

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
                       : mmap(place_apart(), bytes, PROT_READ | PROT_WRITE,
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
