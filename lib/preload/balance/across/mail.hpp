// SPDX-License-Identifier: BSD-3-Clause
// What a rank sends to other ranks of a group, and what it receives from them.
#pragma once

#include <nestbind/across.h>

#include <cstddef>
#include <cstring>

#include "balance/across/grow.hpp"

namespace nestbind::balance::across {

// Reads records from received bytes.
class Reader {
 public:
  Reader(const char* begin, const char* end) : at_(begin), end_(end) {}
  bool has_more() const { return at_ < end_; }
  template <typename T>
  T take() {
    T value{};
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <typename T>
  void take(Grow<T>& to, int count) {
    for (int i = 0; i < count; ++i) {
      to.push(take<T>());
    }
  }
  template <typename T>
  void take_rest(Grow<T>& to) {
    while (has_more()) {
      to.push(take<T>());
    }
  }

 private:
  const char* at_;
  const char* end_;
};

class Mail {
 public:
  void clear() {
    bytes_.clear();
    parts_.clear();
  }
  // `to` is the index of a rank in the group. Records arrive in the order in which they were put.
  template <typename T>
  void put(int to, const T* values, std::size_t count) {
    const std::size_t begin = bytes_.size();
    if (bytes_.resize(begin + count * sizeof(T)) && count > 0) {
      std::memcpy(bytes_.data() + begin, values, count * sizeof(T));
    }
    if (parts_.size() == 0 || parts_[parts_.size() - 1].to != to) {
      parts_.push({to, 0});
    }
    parts_[parts_.size() - 1].count += static_cast<int>(count * sizeof(T));
  }
  // The first of two exchanges: of counts. Returns false if there is no memory.
  bool send_counts(nestbind_across_group group, std::size_t ranks,
                   nestbind_across_exchange& exchange);
  // The second one: of data.
  bool send_data(nestbind_across_exchange& exchange);
  Reader received_from(int rank) const {
    const int* const offset = receive_offsets_.data() + rank;
    return {received_.data() + offset[0], received_.data() + offset[1]};
  }
  Reader received() const { return {received_.begin(), received_.end()}; }

 private:
  struct Part {
    int to;
    int count;
  };
  int group_ = 0;
  Grow<char> bytes_;
  Grow<Part> parts_;
  Grow<char> packed_;  // the bytes for the first rank come first
  Grow<int> counts_;
  Grow<int> offsets_;
  Grow<char> received_;
  Grow<int> receive_counts_;
  Grow<int> receive_offsets_;
};

}  // namespace nestbind::balance::across
