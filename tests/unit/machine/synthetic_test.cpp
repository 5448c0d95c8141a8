// SPDX-License-Identifier: BSD-3-Clause
#include "helpers.hpp"
#include "machine/hwloc/read_hwloc.hpp"

using nestbind::machine::hwloc::described_processors;
using nestbind::machine::hwloc::kMostDescribed;
using namespace nestbind::machine::test;

TEST_CASE("a description has as many processors as hwloc makes") {
  for (const char* text :
       {"pu:1", "pack:2 core:3 pu:4", "2 3 4", "[numa] pack:3 [numa] l2:2 core:2 pu:2",
        "pack:2 core:3 pu:2(indexes=2*6:1*2)", "pack:2 [numa(memory=4GB)] core:4(indexes=0,1) pu:1",
        "(memory=1GB) pack:2 pu:2", "  pack:0x10  core:010 pu:1", "pack:2\npu:3"}) {
    INFO(text);
    CHECK(described_processors(text) == read_hardware(text).cpus.size());
  }
}

TEST_CASE("a description that is too large is rejected before hwloc reads it") {
  CHECK(described_processors("core:64 pu:64") == kMostDescribed);
  for (const char* text :
       {"pu:4097", "core:64 pu:65", "pu:16384", "pu:100000000", "pu:0x2000", "pu:020000", "65 64",
        "pack:256 core:256 pu:2", "pack:9999999999 pu:1", "pu:-18446744073709535232",
        "[numa(memory=1GB)] pack:2(memory=3:4) core:4000 pu:1"}) {
    INFO(text);
    CHECK(described_processors(text) == kMostDescribed + 1);
  }
}

TEST_CASE("the count of processors ends for any text") {
  for (const char* text :
       {"", ":", "::::", "a", "(", "[", "[(", "pack", "pack:", "pack: 3", "-", "pu:-1", "1:2"}) {
    INFO(text);
    CHECK(described_processors(text) <= 10);
  }
}
