// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/records.hpp"

#include <linux/perf_event.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

namespace nestbind::memory::watch::test {
namespace {

// A ring buffer in the kernel's format.
struct Ring {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(4096);
  std::uint64_t tail = 0;
  std::uint64_t head = 0;

  template <typename T>
  void put(const T& value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      bytes[head++ % bytes.size()] = reinterpret_cast<const unsigned char*>(&value)[i];
    }
  }
  void begin(std::uint32_t type, std::uint16_t misc, std::uint16_t size) {
    put(perf_event_header{type, misc,
                          static_cast<std::uint16_t>(size + sizeof(perf_event_header))});
  }
  void put_end(std::uint64_t time, std::uint32_t processor) {
    put(std::uint32_t{17});
    put(std::uint32_t{18});
    put(time);
    put(processor);
    put(std::uint32_t{0});
  }
  Record next() {
    Record record;
    REQUIRE(next_record(bytes, tail, head, record));
    return record;
  }
};

TEST_CASE("a fault has its address, registers and stack", "[memory]") {
  Ring ring;
  ring.tail = ring.head = 4096 - 40;  // wraps around the ring's end
  const int registers = std::popcount(kRegisters);
  ring.begin(PERF_RECORD_SAMPLE, 0,
             static_cast<std::uint16_t>(48 + 8 + 8 * registers + 8 + 16 + 8));
  ring.put(std::uint64_t{0x1234});  // the code
  ring.put(std::uint32_t{17});
  ring.put(std::uint32_t{18});
  ring.put(std::uint64_t{1000});
  ring.put(std::uint64_t{0xabc000});
  ring.put(std::uint32_t{5});
  ring.put(std::uint32_t{0});
  ring.put(std::uint64_t{3});
  ring.put(std::uint64_t{PERF_SAMPLE_REGS_ABI_64});
  for (int i = 0; i < registers; ++i) {
    ring.put(std::uint64_t{100} + static_cast<std::uint64_t>(i));
  }
  ring.put(std::uint64_t{16});
  ring.put(std::uint64_t{0x1111});
  ring.put(std::uint64_t{0x2222});
  ring.put(std::uint64_t{8});  // bytes of the stack
  const Record record = ring.next();
  CHECK(record.kind == Record::Kind::kFault);
  CHECK((record.process == 17 && record.thread == 18));
  CHECK((record.time == 1000 && record.address == 0xabc000 && record.processor == 5));
  CHECK((record.weight == 3 && record.code == 0x1234));
  CHECK(record.registers[kStackPointer] == 100 + kStackPointer);
  REQUIRE(record.stack.size() == 8);
  CHECK(record.stack[0] == 0x11);
  CHECK(ring.tail == ring.head);
}

TEST_CASE("mappings, forks, execs and losses are distinguished", "[memory]") {
  Ring ring;
  ring.begin(PERF_RECORD_FORK, 0, 24 + 24);
  for (const std::uint32_t number : {20U, 17U, 20U, 18U}) {
    ring.put(number);
  }
  ring.put(std::uint64_t{5});
  ring.put_end(5, 1);
  const Record forked = ring.next();
  CHECK(forked.kind == Record::Kind::kFork);
  CHECK((forked.process == 20 && forked.parent == 17 && forked.thread == 20 && forked.time == 5));
  ring.begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 16 + 24);
  ring.put(std::uint32_t{20});
  ring.put(std::uint32_t{20});
  ring.put(std::uint64_t{0x6d6172676f7270});  // "program"
  ring.put_end(6, 1);
  const Record executed = ring.next();
  CHECK((executed.kind == Record::Kind::kExec && executed.name == "program"));
  CHECK(executed.time == 6);
  ring.begin(PERF_RECORD_LOST, 0, 16 + 24);
  ring.put(std::uint64_t{1});
  ring.put(std::uint64_t{77});
  ring.put_end(7, 3);
  const Record lost = ring.next();
  CHECK((lost.kind == Record::Kind::kLost && lost.weight == 77));
}

TEST_CASE("a damaged record ends the ring", "[memory]") {
  Ring ring;
  ring.put(perf_event_header{PERF_RECORD_SAMPLE, 0, 4});
  Record record;
  CHECK_FALSE(next_record(ring.bytes, ring.tail, ring.head, record));
  CHECK(ring.tail == ring.head);
}

}  // namespace
}  // namespace nestbind::memory::watch::test
