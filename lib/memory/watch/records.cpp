// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/records.hpp"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace nestbind::memory::watch {

namespace {

// Missing bytes count as 0.
class Reader {
 public:
  explicit Reader(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  template <typename T>
  T take() {
    T value{};
    if (bytes_.size() >= sizeof value) {
      std::memcpy(&value, bytes_.data(), sizeof value);
    }
    skip(sizeof value);
    return value;
  }
  void skip(std::size_t bytes) { bytes_ = bytes_.subspan(std::min(bytes, bytes_.size())); }
  std::span<const unsigned char> left() const { return bytes_; }

 private:
  std::span<const unsigned char> bytes_;
};

// Reads the fields, in the order of the bits of sample_type().
void read_fault(Reader& reader, Record& record) {
  record.kind = Record::Kind::kFault;
  record.code = reader.take<std::uint64_t>();
  record.process = reader.take<std::uint32_t>();
  record.thread = reader.take<std::uint32_t>();
  record.time = reader.take<std::uint64_t>();
  record.address = reader.take<std::uint64_t>();
  record.processor = reader.take<std::uint32_t>();
  reader.skip(sizeof(std::uint32_t));
  record.weight = std::max<std::uint64_t>(reader.take<std::uint64_t>(), 1);
  if (reader.take<std::uint64_t>() != PERF_SAMPLE_REGS_ABI_NONE) {
    for (int i = 0; i < kMostRegisters; ++i) {
      record.registers[i] =
          (kRegisters >> static_cast<unsigned>(i) & 1U) != 0 ? reader.take<std::uint64_t>() : 0;
    }
  }
  const auto room = reader.take<std::uint64_t>();
  const auto whole = reader.left().first(std::min<std::size_t>(room, reader.left().size()));
  reader.skip(room);
  const auto written = room == 0 ? 0 : reader.take<std::uint64_t>();
  record.stack.assign(
      whole.begin(),
      whole.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(written, whole.size())));
}

std::string text_of(std::span<const unsigned char> bytes) {
  const auto end = std::ranges::find(bytes, 0);
  return {bytes.begin(), end};
}

void read_mapping(Reader& reader, Record& record, std::uint16_t misc) {
  record.kind = Record::Kind::kMapping;
  record.process = reader.take<std::uint32_t>();
  record.thread = reader.take<std::uint32_t>();
  record.address = reader.take<std::uint64_t>();
  record.bytes = reader.take<std::uint64_t>();
  record.offset = reader.take<std::uint64_t>();
  reader.skip(2 * sizeof(std::uint32_t));  // the device
  record.inode = reader.take<std::uint64_t>();
  reader.skip(sizeof(std::uint64_t));  // the inode's generation
  record.is_writable = (reader.take<std::uint32_t>() & PROT_WRITE) != 0;
  reader.skip(sizeof(std::uint32_t));  // flags
  record.is_code = (misc & PERF_RECORD_MISC_MMAP_DATA) == 0;
  record.name = text_of(reader.left());
}

void read_thread(Reader& reader, Record& record) {
  record.process = reader.take<std::uint32_t>();
  record.parent = reader.take<std::uint32_t>();
  record.thread = reader.take<std::uint32_t>();
  reader.skip(sizeof(std::uint32_t));
}

void read_body(const perf_event_header& header, Reader reader, Record& record) {
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      return read_fault(reader, record);
    case PERF_RECORD_MMAP2:
      return read_mapping(reader, record, header.misc);
    case PERF_RECORD_FORK:
      record.kind = Record::Kind::kFork;
      return read_thread(reader, record);
    case PERF_RECORD_COMM:
      record.process = reader.take<std::uint32_t>();
      record.thread = reader.take<std::uint32_t>();
      record.name = text_of(reader.left());
      record.kind = (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0 ? Record::Kind::kExec
                                                                    : Record::Kind::kOther;
      return;
    case PERF_RECORD_LOST:
      record.kind = Record::Kind::kLost;
      reader.skip(sizeof(std::uint64_t));  // the event's number
      record.weight = reader.take<std::uint64_t>();
      return;
    default:
      record.kind = Record::Kind::kOther;
  }
}

void read_end(std::span<const unsigned char> body, Record& record) {
  constexpr std::size_t kBytes = 24;
  if (record.kind == Record::Kind::kFault || body.size() < kBytes) {
    return;
  }
  Reader reader(body.last(kBytes));
  reader.skip(sizeof(std::uint64_t));
  record.time = reader.take<std::uint64_t>();
  record.processor = reader.take<std::uint32_t>();
}

}  // namespace

std::uint64_t sample_type() {
  return PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
         PERF_SAMPLE_PERIOD | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
}

bool next_record(std::span<const unsigned char> ring, std::uint64_t& tail, std::uint64_t head,
                 Record& record) {
  std::vector<unsigned char> bytes;
  const auto copy = [&](std::uint64_t at, std::size_t count) {
    bytes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      bytes[i] = ring[(at + i) & (ring.size() - 1)];
    }
  };
  record = {};
  perf_event_header header{};
  const bool is_whole = head - tail >= sizeof header && head - tail <= ring.size();
  if (is_whole) {
    copy(tail, sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
  }
  if (!is_whole || header.size < sizeof header || header.size > head - tail) {
    tail = head;
    return false;
  }
  copy(tail + sizeof header, header.size - sizeof header);
  tail += header.size;
  read_body(header, Reader(bytes), record);
  read_end(bytes, record);
  return true;
}

}  // namespace nestbind::memory::watch
