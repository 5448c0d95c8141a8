// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/process_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace nestbind::memory::watch::test {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBegin = 0x10000000;
constexpr std::uint64_t kPages = 64;
constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kMany = 1'000'000;  // the kernel's count of hinting faults is not a limit

struct Watch {
  ProcessTable table{17, 0, kPage};
  const Area area{kBegin, kBegin + kPages* kPage, ""};

  void fault(std::uint64_t page, double seconds, int node = 0) {
    Record record;
    record.address = kBegin + page * kPage;
    record.time = static_cast<std::uint64_t>(seconds * static_cast<double>(kSecond));
    record.thread = 17;
    table.add_fault(record, node);
  }
  // Tells the table that all pages are present on `node`.
  void look(double seconds, int node = 0, std::uint64_t hints = kMany) {
    table.begin_look(static_cast<std::uint64_t>(seconds * static_cast<double>(kSecond)), {area});
    for (std::size_t i = 0; i < kPages; ++i) {
      table.see(table.regions()[0], i, node);
    }
    table.end_look(hints);
  }
  FaultKind last() const { return table.faults().back().kind; }
};

TEST_CASE("a fault before the first scan of pages is a first touch", "[memory]") {
  Watch watch;
  watch.fault(0, 1);
  CHECK(watch.last() == FaultKind::kFirstTouch);
}

TEST_CASE("a fault is a hinting fault if a look saw the page an interval earlier", "[memory]") {
  Watch watch;
  watch.fault(0, 1);
  watch.look(1.1);
  watch.look(1.6);
  watch.look(2.1);
  watch.fault(0, 2.5, 3);
  CHECK(watch.last() == FaultKind::kHint);
  CHECK(watch.table.faults().back().node == 3);
}

TEST_CASE("a program that writes each page once has no hinting faults", "[memory]") {
  Watch watch;
  for (std::uint64_t page = 0; page < kPages; ++page) {
    watch.fault(page, 1 + 0.01 * static_cast<double>(page));
    if (page % 16 == 0) {
      watch.table.begin_look(static_cast<std::uint64_t>((1 + 0.01 * static_cast<double>(page)) *
                                                        static_cast<double>(kSecond)),
                             {watch.area});
      for (std::size_t seen = 0; seen <= page; ++seen) {
        watch.table.see(watch.table.regions()[0], seen, 0);
      }
      watch.table.end_look(kMany);
    }
  }
  for (const Fault& fault : watch.table.faults()) {
    CHECK(fault.kind == FaultKind::kFirstTouch);
  }
}

TEST_CASE("the second of two faults in one interval is unclear", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  watch.fault(0, 2.1);
  CHECK(watch.last() == FaultKind::kHint);
  watch.look(2.2);
  watch.fault(0, 2.3);
  CHECK(watch.last() == FaultKind::kUnclear);
}

TEST_CASE("a new mapping at the same address has first touches", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  watch.table.add_mapping(kBegin, kBegin + kPages * kPage, 2 * kSecond + kSecond / 2);
  watch.fault(5, 2.6);
  CHECK(watch.last() == FaultKind::kFirstTouch);
  watch.look(3);
  watch.fault(6, 3.5);
  CHECK(watch.last() == FaultKind::kHint);
}

TEST_CASE("a page's next fault after a fork may be a copy", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  watch.table.add_fork(2 * kSecond + 1);
  watch.look(3);
  watch.look(4);
  watch.fault(3, 4.5);
  CHECK(watch.last() == FaultKind::kUnclear);
  watch.look(5);
  watch.look(6);
  watch.fault(3, 6.5);
  CHECK(watch.last() == FaultKind::kHint);
}

TEST_CASE("a page that a scan did not find is touched for the first time again", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  ProcessTable::miss(watch.table.regions()[0], 4);
  watch.fault(4, 3);
  CHECK(watch.last() == FaultKind::kFirstTouch);
}

TEST_CASE("a fault is unclear if the kernel does not report the page's node", "[memory]") {
  Watch watch;
  watch.look(1, kNoNode);
  watch.look(2, kNoNode);
  watch.fault(0, 3);
  CHECK(watch.last() == FaultKind::kUnclear);
}

TEST_CASE("a late fault in a touched huge page is not a first touch", "[memory]") {
  Watch watch;
  watch.table.expect(watch.area.begin, watch.area.end, kPage, 1);
  watch.fault(0, 0.1);
  watch.fault(1, 0.2);
  CHECK(watch.last() == FaultKind::kFirstTouch);
  watch.fault(40, 1.5, 3);  // a hinting fault, before any look
  CHECK(watch.last() == FaultKind::kUnclear);
}

TEST_CASE("a page that the kernel moved early keeps the node of its first touch", "[memory]") {
  for (const bool is_used : {false, true}) {
    Watch watch;
    watch.table.expect(watch.area.begin, watch.area.end, kPage, 1);
    for (std::uint64_t page = 0; page < kPages / 2; ++page) {
      watch.fault(page, 0.1, 0);
    }
    watch.table.begin_look(kSecond, {watch.area});
    for (std::size_t page = 0; page < kPages; ++page) {
      watch.table.see(watch.table.regions()[0], page, 3, true);
    }
    watch.table.end_look(kMany);
    watch.look(2, 3);
    if (is_used) {
      watch.fault(0, 2.5, 3);
    }
    watch.table.end();
    const auto on = watch.table.regions()[0].pages_on(false, 4);
    // The kernel's balancing moves only pages that a thread uses.
    CHECK(on[0] == (is_used ? kPages / 2 : 0));
    CHECK(on[3] == (is_used ? 0 : kPages));
    CHECK(watch.table.regions()[0].home(kBegin) == (is_used ? 0 : 3));
    CHECK(watch.table.regions()[0].pages[0].last == 3);
  }
}

TEST_CASE("the new part of a mapping that the kernel has joined is a new region", "[memory]") {
  Watch watch;
  watch.look(1);
  const std::uint64_t end = watch.area.end + 3 * kPage;
  watch.table.expect(kBegin - 2 * kPage, end, 3 * kPage, 2 * kSecond);
  REQUIRE(watch.table.regions().size() == 2);
  CHECK(watch.table.regions()[1].area == Area{watch.area.end, end, ""});
  CHECK(watch.table.regions()[1].born == 2 * kSecond);
  CHECK(watch.table.regions()[1].pages.size() == 3);
}

TEST_CASE("only touched pages count as present if no scan saw them", "[memory]") {
  Watch watch;
  watch.table.expect(watch.area.begin, watch.area.end, kPage, 1);
  watch.fault(1, 0.1, 2);
  watch.fault(kPages - 1, 0.1, 2);
  watch.table.end();
  const std::vector<Page>& pages = watch.table.regions()[0].pages;
  CHECK(std::ranges::count_if(pages, [](const Page& page) { return page.was_there; }) == 2);
  CHECK(watch.table.regions()[0].pages_on(false, 3) == std::vector<std::uint64_t>{0, 0, 2});
}

TEST_CASE("faults are not hinting faults if the kernel counted fewer hinting faults", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  for (std::uint64_t page = 0; page < kPages; ++page) {
    watch.fault(page, 3);
  }
  watch.look(3.5, 0, 5);  // the pages were freed (MADV_DONTNEED), and written again
  for (const Fault& fault : watch.table.faults()) {
    CHECK(fault.kind == FaultKind::kUnclear);
  }
}

TEST_CASE("freed memory is reported separately from new memory at the same address", "[memory]") {
  Watch watch;
  watch.fault(0, 0.9);
  watch.look(1);
  watch.table.begin_look(2 * kSecond, {});
  watch.fault(0, 3);
  watch.table.begin_look(4 * kSecond, {watch.area});
  REQUIRE(watch.table.regions().size() == 2);
  CHECK(watch.table.regions()[0].died == 0);
  CHECK(watch.table.regions()[1].died == 2 * kSecond);
  CHECK(watch.table.faults_of(watch.table.regions()[0]).size() == 1);
  CHECK(watch.table.faults_of(watch.table.regions()[1]).size() == 1);
  CHECK(watch.table.regions()[1].pages_on(false, 1)[0] == kPages);
}

TEST_CASE("an area that grows keeps its data", "[memory]") {
  Watch watch;
  watch.look(1);
  watch.look(2);
  watch.table.begin_look(3 * kSecond, {{kBegin - 4 * kPage, kBegin + kPages * kPage, ""}});
  REQUIRE(watch.table.regions().size() == 1);
  CHECK(watch.table.regions()[0].pages[3].first == kNoNode);
  CHECK(watch.table.regions()[0].pages[4].first == 0);
  watch.fault(0, 3.5);
  CHECK(watch.last() == FaultKind::kHint);
}

}  // namespace
}  // namespace nestbind::memory::watch::test
