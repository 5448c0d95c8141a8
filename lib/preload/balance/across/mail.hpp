// SPDX-License-Identifier: BSD-3-Clause
// What a rank sends to other ranks, and what it has received from them.
#pragma once

#include <limits.h>
#include <stdlib.h>

#include <cstddef>
#include <cstring>
#include <numeric>

#include "balance/across/arena.hpp"

namespace nestbind::balance::across {

// Reads records from received bytes.
class Reader {
 public:
  Reader() = default;
  Reader(const char* begin, const char* end) : at_(begin), end_(end) {}
  bool has_more() const { return at_ < end_; }
  template <typename T>
  T take() {
    T value{};
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

class Mail {
 public:
  Mail(Arena& kept, Arena& call)
      : send_counts(kept),
        send_offsets(kept),
        receive_counts(kept),
        receive_offsets(kept),
        call_(call),
        bytes_(call),
        parts_(call),
        packed_(call) {}
  ~Mail() { free(received_); }
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  // Takes all memory that an exchange without data needs.
  void open(std::size_t ranks) {
    for (List<int>* const counts : {&send_counts, &receive_counts}) {
      counts->fill(ranks, 0);
    }
    for (List<int>* const offsets : {&send_offsets, &receive_offsets}) {
      offsets->fill(ranks + 1, 0);
    }
  }
  // There is nothing to send.
  void clear() {
    bytes_ = packed_ = List<char>(call_);
    parts_ = List<Part>(call_);
    send_counts.fill(send_counts.size(), 0);
    send_offsets.fill(send_offsets.size(), 0);
  }
  // Records arrive in the order in which they were put.
  template <typename T>
  void put(int to, const T* values, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > INT_MAX - bytes_.size()) {
      call_.give_up();  // MPI counts in int
    }
    bytes_.append(reinterpret_cast<const char*>(values), bytes);
    if (parts_.size() == 0 || parts_[parts_.size() - 1].to != to) {
      parts_.push({to, 0});
    }
    parts_[parts_.size() - 1].bytes += bytes;
    send_counts[index(to)] += static_cast<int>(bytes);
  }
  // The bytes for the first rank come first.
  void pack() {
    packed_.reserve(bytes_.size());
    packed_.set_size(bytes_.size());
    std::partial_sum(send_counts.begin(), send_counts.end(), send_offsets.begin() + 1);
    List<int> next(call_);
    next.append(send_offsets.data(), send_offsets.size());
    const char* from = bytes_.data();
    for (const Part& part : parts_) {
      std::copy(from, from + part.bytes, packed_.data() + next[index(part.to)]);
      from += part.bytes;
      next[index(part.to)] += static_cast<int>(part.bytes);
    }
  }
  // Behind the exchange of counts. Returns false if there is no memory.
  bool make_room() {
    if (std::accumulate(receive_counts.begin(), receive_counts.end(), 0L) > INT_MAX) {
      return false;
    }
    std::partial_sum(receive_counts.begin(), receive_counts.end(), receive_offsets.begin() + 1);
    free(received_);
    received_ = static_cast<char*>(malloc(index(receive_offsets[receive_counts.size()]) + 1));
    return received_ != nullptr;
  }
  const char* packed() const { return packed_.data(); }
  char* received() { return received_; }
  Reader received_from(int rank) const {
    const int* const offset = receive_offsets.data() + rank;
    return {received_ + offset[0], received_ + offset[1]};
  }
  Reader all_received() const { return {received_, received_ + receive_offsets.end()[-1]}; }

  List<int> send_counts, send_offsets, receive_counts, receive_offsets;

 private:
  struct Part {
    int to;
    std::size_t bytes;
  };
  Arena& call_;
  List<char> bytes_;
  List<Part> parts_;
  List<char> packed_;
  char* received_ = nullptr;
};

}  // namespace nestbind::balance::across
