// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "memory/watch/fault_records.hpp"

using namespace nestbind::memory;

namespace {

// As Linux 6.1 wrote it, of a fault in a process 4711: type 9 (a sample), misc 2, 136 bytes.
std::vector<unsigned char> recorded() {
  const std::uint64_t words[] = {0x0088000200000009,
                                 0x0000555555555169,
                                 0x0000126800001267,
                                 0x00000000deadbeef,
                                 0x00007ffff7a00000,
                                 0x0000000000000003,
                                 0x000000000000000a,
                                 64,  // of the stack
                                 0x1111,
                                 0x2222,
                                 0x3333,
                                 0x4444,
                                 0x5555,
                                 0x6666,
                                 0x7777,
                                 0x8888,
                                 64};
  std::vector<unsigned char> bytes(sizeof words);
  std::memcpy(bytes.data(), words, sizeof words);
  return bytes;
}

// A ring of 256 bytes with these from `at` on.
std::vector<unsigned char> ring_with(const std::vector<unsigned char>& bytes, std::uint64_t at) {
  std::vector<unsigned char> ring(256, 0xee);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ring[(at + i) % ring.size()] = bytes[i];
  }
  return ring;
}

}  // namespace

TEST_CASE("a recorded fault is read, wherever it lies in the ring") {
  const auto bytes = recorded();
  for (const std::uint64_t begin : {0ULL, 64ULL, 200ULL, 1000ULL, 250ULL}) {
    const auto ring = ring_with(bytes, begin);
    std::uint64_t tail = begin;
    Sample sample;
    REQUIRE(next_record(ring, tail, begin + bytes.size(), sample) == Record::kSample);
    CHECK(tail == begin + 136);
    CHECK(sample.code == 0x555555555169);
    CHECK(sample.process == 0x1267);
    CHECK(sample.thread == 0x1268);
    CHECK(sample.time == 0xdeadbeef);
    CHECK(sample.address == 0x7ffff7a00000);
    CHECK(sample.processor == 3);
    CHECK(sample.weight == 10);
    CHECK(sample.stack_words == 8);
    CHECK(sample.stack[0] == 0x1111);
    CHECK(sample.stack[7] == 0x8888);
    CHECK(next_record(ring, tail, begin + bytes.size(), sample) == Record::kNone);
  }
}

TEST_CASE("a stack that was not there has no words") {
  auto bytes = recorded();
  const std::uint64_t filled = 16;
  std::memcpy(bytes.data() + 128, &filled, sizeof filled);
  std::uint64_t tail = 0;
  Sample sample;
  REQUIRE(next_record(ring_with(bytes, 0), tail, 136, sample) == Record::kSample);
  CHECK(sample.stack_words == 2);
  // The kernel writes no more where it has no stack at all.
  bytes.resize(64);
  bytes[6] = 64;
  std::memset(bytes.data() + 56, 0, 8);
  tail = 0;
  REQUIRE(next_record(ring_with(bytes, 0), tail, 64, sample) == Record::kSample);
  CHECK(sample.stack_words == 0);
  CHECK(sample.weight == 10);
}

TEST_CASE("what was lost is told, other records are passed over") {
  const std::uint64_t words[] = {0x0018000000000002, 7, 12345, 0x0008000000000003};
  std::vector<unsigned char> bytes(sizeof words);
  std::memcpy(bytes.data(), words, sizeof words);
  const auto ring = ring_with(bytes, 0);
  std::uint64_t tail = 0;
  Sample sample;
  REQUIRE(next_record(ring, tail, 32, sample) == Record::kLost);
  CHECK(sample.weight == 12345);
  CHECK(next_record(ring, tail, 32, sample) == Record::kOther);
  CHECK(tail == 32);
}

TEST_CASE("what is no record ends the reading") {
  auto bytes = recorded();
  Sample sample;
  for (const unsigned size : {0U, 7U, 137U}) {
    bytes[6] = static_cast<unsigned char>(size);
    std::uint64_t tail = 0;
    CHECK(next_record(ring_with(bytes, 0), tail, 136, sample) == Record::kNone);
    CHECK(tail == 136);
  }
  std::uint64_t tail = 0;  // more than the ring has
  CHECK(next_record(ring_with(recorded(), 0), tail, 1000, sample) == Record::kNone);
  CHECK(tail == 1000);
}
