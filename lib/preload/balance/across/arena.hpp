// SPDX-License-Identifier: BSD-3-Clause
// Memory, arrays that grow, and a table of ids. There is one way out if there is no memory: a jump
// to Balancer::guarded(). So nothing below has a destructor, and nobody else asks for success.
#pragma once

#include <setjmp.h>
#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace nestbind::balance::across {

using Id = long long;

inline std::size_t index(int number) { return static_cast<std::size_t>(number); }

// longjmp() under its other name: this library has a longjmp() of its own, for programs.
extern "C" [[noreturn]] void jump(__jmp_buf_tag* place, int value) noexcept __asm__("_longjmp");

class Arena {
 public:
  explicit Arena(jmp_buf& no_memory) : no_memory_(no_memory) {}
  ~Arena() { clear(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* take(std::size_t bytes) {
    void* const memory = malloc(sizeof(Block) + bytes);
    if (memory == nullptr) {
      give_up();
    }
    last_ = new (memory) Block{last_};
    return last_ + 1;
  }
  [[noreturn]] void give_up() { jump(no_memory_, 1); }  // no frame in between has a destructor
  // Gives all memory back. No array may use it any more.
  void clear() {
    while (last_ != nullptr) {
      free(std::exchange(last_, last_->before));
    }
  }

 private:
  struct alignas(std::max_align_t) Block {
    Block* before;
  };
  jmp_buf& no_memory_;
  Block* last_ = nullptr;
};

// Only for types that may be copied as bytes. A copy is the same array.
template <typename T>
class List {
 public:
  explicit List(Arena& arena, std::size_t count = 0, const T& value = {}) : arena_(&arena) {
    fill(count, value);
  }
  void push(const T& value) {
    if (count_ == room_) {
      reserve(2 * room_ + 16);
    }
    data_[count_++] = value;
  }
  void reserve(std::size_t room) {
    if (room > room_) {
      auto* const more = static_cast<T*>(arena_->take(room * sizeof(T)));
      std::copy(data_, data_ + count_, more);
      data_ = more;
      room_ = room;
    }
  }
  void fill(std::size_t count, const T& value) {
    reserve(count);
    count_ = count;
    std::fill(begin(), end(), value);
  }
  void append(const T* values, std::size_t count) {
    reserve_more(count);
    std::copy(values, values + count, data_ + count_);
    count_ += count;
  }
  void reserve_more(std::size_t count) {
    if (count_ + count > room_) {
      reserve(2 * room_ + count);
    }
  }
  void set_size(std::size_t count) { count_ = count; }  // there must be room
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  int count() const { return static_cast<int>(count_); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }

 private:
  Arena* arena_;
  T* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t room_ = 0;
};
static_assert(std::is_trivially_destructible_v<List<int>>);

inline std::uint64_t mixed(Id id) {
  auto bits = static_cast<std::uint64_t>(id);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// Finds the index of an id.
class Ids {
 public:
  explicit Ids(Arena& arena, std::size_t expected = 0)
      : arena_(arena), slots_(arena, expected == 0 ? 0 : std::bit_ceil(2 * expected)) {}
  void clear() {
    slots_.fill(slots_.size(), {});
    count_ = 0;
  }
  // Returns the index of the id, or -1.
  int find(Id id) const { return slots_.size() == 0 ? -1 : slots_[place(id)].index - 1; }
  // The id must be new.
  void add(Id id, int index) {
    if (2 * ++count_ > slots_.size()) {
      const List<Slot> old = slots_;
      slots_ = List<Slot>(arena_, old.size() == 0 ? 64 : 2 * old.size());
      for (const Slot& slot : old) {
        if (slot.index != 0) {
          slots_[place(slot.id)] = slot;
        }
      }
    }
    slots_[place(id)] = {id, index + 1};
  }

 private:
  struct Slot {
    Id id;
    int index;  // plus 1; 0: empty
  };
  // Where the id is, or could be.
  std::size_t place(Id id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mixed(id) & mask;
    while (slots_[at].index != 0 && slots_[at].id != id) {
      at = (at + 1) & mask;
    }
    return at;
  }

  Arena& arena_;
  List<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace nestbind::balance::across
