// SPDX-License-Identifier: BSD-3-Clause
// Memory of trees, which is never freed. After a region, a thread may still read the region's
// objects. Sizes are powers of two.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/errno_kept.hpp"
#include "team/consumer.hpp"

namespace nestbind::team {

template <typename Object>
class Recycled {
 public:
  // Returns `count` default-initialised objects, or null if there is no memory.
  Object* take(std::size_t count) {
    const support::ErrnoKept errno_kept;
    const std::size_t room = std::bit_ceil(count);
    void* memory = pop(free_[std::countr_zero(room)]);
    if (memory == nullptr) {
      memory = aligned_alloc(kLine, whole_lines(room * sizeof(Object)));
    }
    if (memory == nullptr) {
      return nullptr;
    }
    auto* objects = static_cast<Object*>(memory);
    for (std::size_t i = 0; i < room; ++i) {
      new (objects + i) Object;
    }
    count_memory(static_cast<std::ptrdiff_t>(room * sizeof(Object)));
    return objects;
  }

  void give(Object* objects, std::size_t count) {
    if (objects == nullptr) {
      return;
    }
    const std::size_t room = std::bit_ceil(count);
    count_memory(-static_cast<std::ptrdiff_t>(room * sizeof(Object)));
    push(free_[std::countr_zero(room)], objects);
  }

 private:
  static constexpr std::size_t kLine = 64;
  static std::size_t whole_lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

  struct Unused {
    Unused* next;
    void* objects;
  };
  // In a child of fork(), a thread of the parent may hold the lock. So no thread waits long.
  bool try_lock() { return !is_used_.exchange(true, std::memory_order_acquire); }
  void unlock() { is_used_.store(false, std::memory_order_release); }
  bool lock() {
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries; ++i) {
      if (try_lock()) {
        return true;
      }
    }
    return false;
  }

  void* pop(Unused*& list) {
    if (!lock()) {
      return nullptr;
    }
    Unused* const first = list;
    list = first == nullptr ? nullptr : first->next;
    unlock();
    void* const objects = first == nullptr ? nullptr : first->objects;
    free(first);
    return objects;
  }

  // The list's links are outside the objects, so that the objects stay readable.
  void push(Unused*& list, Object* objects) {
    auto* unused = static_cast<Unused*>(malloc(sizeof(Unused)));
    if (unused == nullptr || !lock()) {
      free(unused);
      return;
    }
    *unused = {list, objects};
    list = unused;
    unlock();
  }

  Unused* free_[32] = {};
  std::atomic<bool> is_used_{false};
};

}  // namespace nestbind::team
