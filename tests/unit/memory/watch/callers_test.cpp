// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/callers.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;

TEST_CASE("a fault in the C library is told of its caller") {
  const Text texts[] = {{0x1000, 0x2000, false}, {0x8000, 0x9000, true}, {0xa000, 0xb000, true}};
  Sample sample;
  sample.code = 0x1234;
  CHECK(code_of(sample, texts) == 0x1235);
  sample.code = 0x8100;
  CHECK(code_of(sample, texts) == 0x8101);
  sample.stack[0] = 0x8200;
  sample.stack[1] = 77;
  sample.stack[2] = 0x1500;
  sample.stack[3] = 0x1600;
  sample.stack_words = 4;
  CHECK(code_of(sample, texts) == 0x1500);
  sample.stack_words = 2;
  CHECK(code_of(sample, texts) == 0x8101);
  sample.code = 0x7000;  // generated code, say
  CHECK(code_of(sample, texts) == 0x7001);
  CHECK(is_helper("/usr/lib/x86_64-linux-gnu/libc.so.6"));
  CHECK(is_helper("/x/libnestbind.so.0"));
  CHECK_FALSE(is_helper("/x/libgomp.so.1"));
  CHECK_FALSE(is_helper("/x/libcfitsio.so"));
}
