// SPDX-License-Identifier: BSD-3-Clause
// Arrays that grow, and a table of ids. If there is no memory, push() returns null, and
// `has_failed` is set.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace nestbind::balance::across {

using Id = long long;

inline std::size_t index(int number) { return static_cast<std::size_t>(number); }

// Only for types that may be copied as bytes.
template <typename T>
class Grow {
 public:
  Grow() = default;
  ~Grow() { free(data_); }
  Grow(const Grow&) = delete;
  Grow& operator=(const Grow&) = delete;

  T* push(const T& value) {
    if (count_ == room_ && !reserve(2 * room_ + 16)) {
      return nullptr;
    }
    data_[count_] = value;
    return &data_[count_++];
  }
  bool reserve(std::size_t room) {
    if (room <= room_) {
      return true;
    }
    void* const more = realloc(data_, room * sizeof(T));
    if (more == nullptr) {
      has_failed = true;
      return false;
    }
    data_ = static_cast<T*>(more);
    room_ = room;
    return true;
  }
  // Sets the number of elements. New elements have all bits 0.
  bool resize(std::size_t count) {
    if (!reserve(count)) {
      return false;
    }
    if (count > count_) {
      std::memset(static_cast<void*>(data_ + count_), 0, (count - count_) * sizeof(T));
    }
    count_ = count;
    return true;
  }
  bool fill(std::size_t count, const T& value) {
    const bool has_room = resize(count);
    for (std::size_t i = 0; has_room && i < count; ++i) {
      data_[i] = value;
    }
    return has_room;
  }
  void clear() { count_ = 0; }
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

  bool has_failed = false;

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
  std::size_t room_ = 0;
};

inline std::uint64_t mixed(Id id) {
  auto bits = static_cast<std::uint64_t>(id);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// Finds the index of an id.
class Ids {
 public:
  void clear() {
    slots_.clear();
    count_ = 0;
  }
  // Returns the index of the id, or -1.
  int find(Id id) const { return slots_.size() == 0 ? -1 : slots_[place(id)].index - 1; }
  // The id must be new. Returns false if there is no memory.
  bool add(Id id, int index) {
    if (2 * (count_ + 1) > slots_.size() && !widen()) {
      return false;
    }
    slots_[place(id)] = {id, index + 1};
    ++count_;
    return true;
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
  bool widen() {
    Grow<Slot> old;
    if (!old.resize(slots_.size())) {
      return false;
    }
    std::copy(slots_.begin(), slots_.end(), old.begin());
    if (!slots_.fill(old.size() == 0 ? 64 : 2 * old.size(), Slot{})) {
      return false;
    }
    for (const Slot& slot : old) {
      if (slot.index != 0) {
        slots_[place(slot.id)] = slot;
      }
    }
    return true;
  }

  Grow<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace nestbind::balance::across
