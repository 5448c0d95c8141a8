// SPDX-License-Identifier: BSD-3-Clause
#include "support/own_memory.hpp"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "support/mapped_memory.hpp"

namespace {

using Mapped = nestbind::support::MappedMemory<std::max_align_t>;

// Before each piece of memory.
struct alignas(std::max_align_t) Head {
  std::size_t bytes = 0;  // with the head, of memory from the kernel; 0: the program's allocator's
  Head* next = nullptr;   // of those that are free
};

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kLargest = kChunk / 8;  // beyond it, each is mapped by itself
constexpr int kSizes = std::bit_width(kLargest);

// Pieces by powers of two: those that were given back, and the rest of the latest chunk. The
// owner's alone.
struct Pieces {
  Head* free[kSizes] = {};
  char* rest = nullptr;
  std::size_t bytes = 0;
};

constinit Pieces g_pieces;
constinit std::atomic<pthread_t> g_owner{};
constinit std::atomic<bool> g_has_owner{false};

bool is_owner() {
  return g_has_owner.load(std::memory_order_acquire) &&
         pthread_equal(g_owner.load(std::memory_order_relaxed), pthread_self()) != 0;
}

Head* map(std::size_t bytes) {
  return reinterpret_cast<Head*>(
      Mapped().allocate((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)));
}

void unmap(Head* head, std::size_t bytes) {
  Mapped().deallocate(reinterpret_cast<std::max_align_t*>(head),
                      (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
}

Head* take_piece(std::size_t bytes) {
  const std::size_t size = std::bit_ceil(bytes);
  Head*& free = g_pieces.free[std::bit_width(size) - 1];
  Head* piece = free;
  if (piece != nullptr) {
    free = piece->next;
  } else {
    if (g_pieces.bytes < size) {
      g_pieces.rest = reinterpret_cast<char*>(map(kChunk));
      g_pieces.bytes = kChunk;
    }
    piece = reinterpret_cast<Head*>(g_pieces.rest);
    g_pieces.rest += size;
    g_pieces.bytes -= size;
  }
  piece->bytes = size;
  return piece;
}

void* allocate(std::size_t wanted) {
  if (wanted > PTRDIFF_MAX) {
    throw std::bad_alloc();
  }
  const std::size_t bytes = wanted + sizeof(Head);
  Head* head = nullptr;
  if (!is_owner()) {
    head = static_cast<Head*>(malloc(bytes));
    if (head == nullptr) {
      throw std::bad_alloc();
    }
    head->bytes = 0;
  } else if (bytes <= kLargest) {
    head = take_piece(bytes);
  } else {
    head = map(bytes);
    head->bytes = bytes;
  }
  return head + 1;
}

void release(void* memory) noexcept {
  if (memory == nullptr) {
    return;
  }
  Head* head = static_cast<Head*>(memory) - 1;
  if (head->bytes == 0) {
    free(head);
  } else if (head->bytes > kLargest) {
    unmap(head, head->bytes);
  } else if (is_owner()) {
    Head*& list = g_pieces.free[std::bit_width(head->bytes) - 1];
    head->next = list;
    list = head;
  }  // otherwise it stays: who has ended asks for no more
}

void* allocate_if_there_is(std::size_t wanted) noexcept {
  try {
    return allocate(wanted);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

namespace nestbind::support {

OwnMemory::OwnMemory() {
  g_owner.store(pthread_self(), std::memory_order_relaxed);
  g_has_owner.store(true, std::memory_order_release);
}

OwnMemory::~OwnMemory() { g_has_owner.store(false, std::memory_order_release); }

}  // namespace nestbind::support

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_if_there_is(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_if_there_is(bytes);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
