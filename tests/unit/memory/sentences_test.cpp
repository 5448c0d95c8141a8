// SPDX-License-Identifier: BSD-3-Clause
#include "memory/sentences.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
const Told kTold{"NUMA hint faults", {0, 1, 2, 3}};

RegionFacts facts() {
  RegionFacts result;
  result.range = {0x7f1200000000, 0x7f1200000000 + 4 * kGiB};
  result.bytes_on = {4 * kGiB, 0, 0, 0};
  result.first_touch = {0, 100};
  result.samples = 41214;
  return result;
}

Advice blocks() { return {Remedy::kBlock, {25, 200}, {97, 2}, 1, 97, {25, 25, 25, 25}}; }

std::string last_line(Remedy remedy) {
  Advice advice = blocks();
  advice.remedy = remedy;
  const std::string text = sentences(facts(), advice, kTold, {});
  const std::size_t begin = text.rfind('\n', text.size() - 2) + 1;
  return text.substr(begin, text.size() - begin - 1);
}

}  // namespace

TEST_CASE("a region in three lines") {
  CHECK(sentences(facts(), blocks(), kTold, {"init_grid (grid.c:120)", "grid.c:120", "grid"}) ==
        "region 7f1200000000 4.0 GiB  first touched by thread 0 in init_grid (grid.c:120) 100 %  "
        "on node 0: 100 %\n"
        "  used by: nodes 0..3, 25 % each; each page by one node (97 %)  sampled: NUMA hint "
        "faults, 41,214\n"
        "  local 25 %, imbalance 200 %  ->  BLOCK distribution: local 97 %, imbalance 2 %.  In the "
        "source: initialise in parallel (grid.c:120), or nestbind_memory_spread(grid, n, "
        "NESTBIND_BLOCK)\n");
}

TEST_CASE("marks stand for names until these are known") {
  const Names names{"init (a.c:1)", "a.c:1", "a"};
  const std::string text = sentences(facts(), blocks(), kTold, {});
  CHECK(text.find("@place@") != std::string::npos);
  CHECK(filled(text, names) == sentences(facts(), blocks(), kTold, names));
  CHECK(filled("@array@, @array@ and @line", names) == "a, a and @line");
}

TEST_CASE("what each remedy says") {
  CHECK(last_line(Remedy::kNone) == "  local 25 %, imbalance 200 %  ->  nothing to mend");
  CHECK(last_line(Remedy::kUnseen) == "  too little was seen of it to say what would help");
  CHECK(
      last_line(Remedy::kInterleave) ==
      "  local 25 %, imbalance 200 %  ->  INTERLEAVE distribution: local 97 %, imbalance 2 %.  In "
      "the source: nestbind_memory_spread(@array@, n, NESTBIND_INTERLEAVE)");
  CHECK(last_line(Remedy::kLocal) ==
        "  local 25 %, imbalance 200 %  ->  all on the node that uses it: local 97 %, imbalance 2 "
        "%.  In the source: initialise by a thread that uses it (@line@), or there "
        "nestbind_memory_spread(@array@, n, NESTBIND_LOCAL)");
  CHECK(last_line(Remedy::kOwn) ==
        "  local 25 %, imbalance 200 %  ->  each page on the node that uses it: local 97 %, "
        "imbalance 2 %.  In the source: initialise in parallel (@line@), each part by the thread "
        "that uses it");
  CHECK(last_line(Remedy::kReplicate) ==
        "  local 25 %, imbalance 200 %  ->  a copy on each node, as it is only read: local 97 %, "
        "imbalance 2 %.  In the source: nestbind_memory_replicate(@array@, n, &copies)");
}

TEST_CASE("who uses it, and where it is, in the machine's numbers") {
  const Told told{"page faults", {0, 2, 5, 7}};
  RegionFacts of = facts();
  of.bytes_on = {kGiB, 3 * kGiB, 0, 1};
  of.first_touch = {};
  of.samples = 999;
  Advice advice = blocks();
  const auto first_lines = [&] {
    const std::string text = sentences(of, advice, told, {});
    return text.substr(0, text.rfind('\n', text.size() - 2));
  };
  CHECK(first_lines() ==
        "region 7f1200000000 4.0 GiB  on node 0: 25 %, node 2: 75 %\n"
        "  used by: nodes 0, 2, 5, 7, 25 % each; each page by one node (97 %)  sampled: page "
        "faults, 999");
  advice.users = {0.2, 90, 9.8, 0};
  advice.own = 10;
  of.samples = 1000;
  CHECK(first_lines() ==
        "region 7f1200000000 4.0 GiB  on node 0: 25 %, node 2: 75 %\n"
        "  used by: node 2: 90 %, node 5: 10 %; pages by several nodes (90 %)  sampled: page "
        "faults, 1,000");
  advice.users = {0, 100, 0, 0};
  advice.own = 50;
  of.bytes_on = {0, 0, 0, 0};
  CHECK(first_lines() ==
        "region 7f1200000000 4.0 GiB\n"
        "  used by: node 2: 100 %; 50 % by one node each page, the others by several  sampled: "
        "page faults, 1,000");
  advice.remedy = Remedy::kUnseen;
  CHECK(first_lines() ==
        "region 7f1200000000 4.0 GiB\n"
        "  sampled: page faults, 1,000");
}

TEST_CASE("sizes") {
  RegionFacts of = facts();
  const auto size_of = [&](std::uint64_t bytes) {
    of.range = {0, bytes};
    const std::string text = sentences(of, blocks(), kTold, {});
    return text.substr(9, text.find("  first") - 9);
  };
  CHECK(size_of(65536) == "64.0 KiB");
  CHECK(size_of(3 * kGiB / 2) == "1.5 GiB");
  CHECK(size_of(kGiB - 4096) == "1.0 GiB");
  CHECK(size_of(5 * 1024 * kGiB) == "5.0 TiB");
}
