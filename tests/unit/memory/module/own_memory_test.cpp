// SPDX-License-Identifier: BSD-3-Clause
#include "support/own_memory.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

using nestbind::support::OwnMemory;

namespace {

struct Piece {
  std::unique_ptr<unsigned char[]> bytes;
  std::size_t size = 0;
  unsigned char fill = 0;

  bool is_whole() const {
    for (std::size_t i = 0; i < size; ++i) {
      if (bytes[i] != fill) {
        return false;
      }
    }
    return true;
  }
};

Piece piece_of(std::size_t size, unsigned number) {
  Piece piece{std::make_unique<unsigned char[]>(size), size, static_cast<unsigned char>(number)};
  std::memset(piece.bytes.get(), piece.fill, size);
  return piece;
}

std::size_t in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

}  // namespace

TEST_CASE("a thread with memory of its own takes none of the program's allocator") {
  std::vector<Piece> pieces;
  std::size_t taken = 0;
  bool is_aligned = true;
  bool is_whole = true;
  std::thread thread([&] {
    const OwnMemory own_memory;
    pieces.reserve(3000);
    const std::size_t before = in_use();
    for (unsigned round = 0; round < 3000; ++round) {
      pieces.push_back(piece_of(1 + round * 37 % 60000, round));
      const auto address = reinterpret_cast<std::uintptr_t>(pieces.back().bytes.get());
      is_aligned = is_aligned && address % alignof(std::max_align_t) == 0;
      if (round % 3 == 2) {
        is_whole = is_whole && pieces[round / 2].is_whole();
        pieces[round / 2] = piece_of(1 + round * 11 % 5000, round);
      }
    }
    taken = in_use() - before;
  });
  thread.join();
  CHECK(taken == 0);
  CHECK(is_aligned);
  CHECK(is_whole);
  for (const Piece& piece : pieces) {
    REQUIRE(piece.is_whole());
  }
  pieces.clear();  // by another thread, once it has ended
}

TEST_CASE("other threads have the program's, also of what they gave the thread") {
  const std::size_t before = in_use();
  std::vector<Piece> pieces;
  pieces.push_back(piece_of(100000, 7));
  if (before == 0) {
    WARN("the sanitizer's allocator does not tell what is in use");
  } else {
    CHECK(in_use() > before);
  }
  std::thread thread([&] {
    const OwnMemory own_memory;
    pieces.clear();
  });
  thread.join();
  CHECK(pieces.empty());
}

TEST_CASE("too much is refused as new refuses it") {
  const volatile std::size_t most = SIZE_MAX / 2 + 1;
  CHECK_THROWS_AS(::operator new(most), std::bad_alloc);
  CHECK(::operator new(most, std::nothrow) == nullptr);
  ::operator delete(::operator new(100, std::nothrow));
  ::operator delete[](::operator new[](100, std::nothrow));
  bool is_refused = false;
  std::thread thread([&] {
    const OwnMemory own_memory;
    try {
      ::operator delete(::operator new(most - 1));
    } catch (const std::bad_alloc&) {
      is_refused = true;
    }
  });
  thread.join();
  CHECK(is_refused);
}
