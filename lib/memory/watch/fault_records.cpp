// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/fault_records.hpp"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>

namespace nestbind::memory {

namespace {

// A record's bytes, which may go round the ring's end.
class Reader {
 public:
  Reader(std::span<const unsigned char> ring, std::uint64_t at, std::uint64_t end)
      : ring_(ring), at_(at), end_(end) {}

  // What the kernel writes is a multiple of its words long, so that none of its numbers goes round
  // the end; others are taken byte by byte.
  template <typename Number>
  Number take() {
    Number number{};
    if (end_ - at_ < sizeof number) {
      at_ = end_;
      return number;
    }
    const std::uint64_t first = at_ & (ring_.size() - 1);
    at_ += sizeof number;
    if (ring_.size() - first >= sizeof number) {
      std::memcpy(&number, ring_.data() + first, sizeof number);
      return number;
    }
    unsigned char bytes[sizeof number];
    for (std::size_t i = 0; i < sizeof number; ++i) {
      bytes[i] = ring_[(first + i) & (ring_.size() - 1)];
    }
    std::memcpy(&number, bytes, sizeof number);
    return number;
  }

 private:
  std::span<const unsigned char> ring_;
  std::uint64_t at_;
  std::uint64_t end_;
};

// In the kernel's order: IP, TID, TIME, ADDR, CPU, PERIOD, STACK_USER.
void read_sample(Reader& reader, Sample& sample) {
  sample.code = reader.take<std::uint64_t>();
  sample.process = reader.take<std::uint32_t>();
  sample.thread = reader.take<std::uint32_t>();
  sample.time = reader.take<std::uint64_t>();
  sample.address = reader.take<std::uint64_t>();
  sample.processor = reader.take<std::uint32_t>();
  reader.take<std::uint32_t>();
  sample.weight = std::max<std::uint64_t>(reader.take<std::uint64_t>(), 1);
  const auto size = reader.take<std::uint64_t>();
  const auto words = std::min<std::uint64_t>(size / sizeof(std::uint64_t), kStackWords);
  for (std::uint64_t i = 0; i < words; ++i) {
    sample.stack[i] = reader.take<std::uint64_t>();
  }
  const std::uint64_t filled = size == 0 ? 0 : reader.take<std::uint64_t>();
  sample.stack_words = static_cast<int>(std::min(words, filled / sizeof(std::uint64_t)));
}

}  // namespace

Record next_record(std::span<const unsigned char> ring, std::uint64_t& tail, std::uint64_t head,
                   Sample& sample) {
  if (head - tail > ring.size() || head - tail < sizeof(perf_event_header)) {
    tail = head;
    return Record::kNone;
  }
  const auto header = Reader(ring, tail, head).take<perf_event_header>();
  if (header.size < sizeof header || header.size > head - tail) {
    tail = head;
    return Record::kNone;
  }
  Reader reader(ring, tail + sizeof header, tail + header.size);
  tail += header.size;
  if (header.type == PERF_RECORD_SAMPLE) {
    sample = {};
    read_sample(reader, sample);
    return Record::kSample;
  }
  if (header.type == PERF_RECORD_LOST) {
    reader.take<std::uint64_t>();  // the event's number
    sample = {};
    sample.weight = reader.take<std::uint64_t>();
    return Record::kLost;
  }
  return Record::kOther;
}

}  // namespace nestbind::memory
