// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/told.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;
using namespace nestbind::memory::apply;

namespace {

constexpr std::uintptr_t kRegion = 0x7f0000000000;
constexpr std::uintptr_t kMebi = 1U << 20;

Record record_of_moves() {
  Record record;
  record.intervals = 12;
  record.scans = 9;
  record.has_moved = true;
  record.before = {{100, 0}, 50};
  record.after = {{50, 50}, 75};
  record.pages_to = {0, 2048};
  record.pages_from = {2048, 0};
  record.pages_kept = 3;
  record.spread_bytes = 16 * kMebi;
  record.full = 1;
  record.left = {{{kRegion, kRegion + 64 * kMebi}, Why::kNotBetter}};
  return record;
}

}  // namespace

TEST_CASE("what was moved is told by node, with the figures before and after") {
  CHECK(in_words(record_of_moves(), {{0, 3}, true, false, 0}) ==
        "  12 intervals, 9 scans of the kernel's: 2048 pages were moved, to node 3: 2048; from "
        "node 0: 2048\n"
        "  before: local 50 %, imbalance 141 %  ->  now: local 75 %, imbalance 0 %\n"
        "  used by several nodes, dealt to all, and kept from the kernel's balancing: 16.0 MiB\n"
        "  3 pages did not move when they were asked to\n"
        "  node 0 was given nothing while less than 5 % of it was free\n"
        "  left alone: region 7f0000000000 64.0 MiB: two intervals after it was moved it was no "
        "better\n");
}

TEST_CASE("without the word always it is told why nothing was moved") {
  Record record;
  record.intervals = 2;
  record.after = {{100, 0}, 50};
  CHECK(in_words(record, {{0, 1}, false, false, 0}) ==
        "  2 intervals, 0 scans of the kernel's: nothing was moved, since it is not known how much "
        "the program asks of its memory (that takes hardware counters)\n"
        "  NESTBIND_MEMORY=apply,always moves all the same\n"
        "  local 50 %, imbalance 141 %\n");
  CHECK(in_words({}, {{0, 1}, true, true, 7}) ==
        "  0 intervals, 0 scans of the kernel's: 0 pages were moved\n"
        "  who uses it was not seen\n"
        "  7 samples were left out: more memory is used than is kept account of\n"
        "  given up: there is no memory for it (a limit of the address space, say)\n");
}

TEST_CASE("the same as JSON") {
  CHECK(in_json(record_of_moves(), {{0, 3}, true, false, 0}) ==
        R"({"always": true, "intervals": 12, "scans": 9, "pages": 2048, "pages_to": [0, 2048], )"
        R"("pages_from": [2048, 0], "pages_kept": 3, "spread": 16777216, "replicas": 0, )"
        R"("before": {"local": 50.0, "imbalance": 141.4, "samples": 100}, )"
        R"("after": {"local": 75.0, "imbalance": 0.0, "samples": 100}, "full": [0], "lost": 0, )"
        R"("no_memory": false, "left": [{"begin": 139637976727552, "end": 139638043836416, )"
        R"("why": "not better"}]})");
}
