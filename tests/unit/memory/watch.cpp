// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "memory/watch/asked.hpp"
#include "memory/watch/callers.hpp"
#include "memory/watch/mappings.hpp"
#include "memory/watch/pieces.hpp"
#include "memory/watch/tier.hpp"
#include "memory/watch/touches.hpp"

using namespace nestbind::memory;

namespace {

using Ranges = std::vector<Range>;
Ranges ranges(const Pieces& pieces) { return {pieces.begin(), pieces.end()}; }

Sample fault(std::uint64_t address, std::uint32_t thread, std::uint64_t weight = 1) {
  Sample sample;
  sample.address = address;
  sample.thread = thread;
  sample.weight = weight;
  return sample;
}

// The heads of chunks, by address.
struct Heads {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> at;
  bool operator()(std::uint64_t address, std::uint64_t (&words)[2], bool) const {
    const auto found = at.find(address);
    words[0] = found == at.end() ? 0 : found->second.first;
    words[1] = found == at.end() ? 0 : found->second.second;
    return true;
  }
};

}  // namespace

TEST_CASE("a line of the mappings") {
  const auto heap = read_mapping(
      "55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0                          [heap]");
  REQUIRE(heap);
  CHECK(heap->begin == 0x55d0c0a00000);
  CHECK(heap->end == 0x55d0c0a21000);
  CHECK(heap->is_writable);
  CHECK_FALSE(heap->is_executable);
  CHECK(heap->is_private);
  CHECK(heap->name == "[heap]");
  const auto library =
      read_mapping("7f0000000000-7f0000001000 r-xs 00001000 fe:01 123   /a b/libc.so.6");
  REQUIRE(library);
  CHECK(library->is_executable);
  CHECK_FALSE(library->is_writable);
  CHECK_FALSE(library->is_private);
  CHECK(library->name == "/a b/libc.so.6");
  CHECK(read_mapping("1000-2000 rw-p 00000000 00:00 0")->name.empty());
  for (const char* bad : {"", "1000", "1000-2000", "2000-1000 rw-p 0 0 0", "x-2000 rw-p 0 0 0",
                          "1000-2000 rw 0 0 0"}) {
    CHECK_FALSE(read_mapping(bad));
  }
}

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

TEST_CASE("a mapping is parted where malloc's chunks begin") {
  const Range range{0x100000, 0x200000};
  const Heads whole{{{0x100000, {0, 0x100002}}}};
  CHECK(ranges(split_by_chunks(range, whole)) == Ranges{range});
  const Heads two{{{0x100000, {0, 0x60002}}, {0x160000, {0, 0xa0002}}}};
  CHECK(ranges(split_by_chunks(range, two)) == Ranges{{0x100000, 0x160000}, {0x160000, 0x200000}});
  // A stack is before them, and something else behind.
  const Heads between{{{0x140000, {0, 0x20002}}, {0x160000, {0, 0x90002}}}};
  CHECK(ranges(split_by_chunks(range, between)) == Ranges{{0x100000, 0x140000},
                                                          {0x140000, 0x160000},
                                                          {0x160000, 0x1f0000},
                                                          {0x1f0000, 0x200000}});
  // Too far away to be looked for.
  const Range large{0x100000, 0x100000 + (kProbed + 100) * 0x1000};
  const Heads far{{{0x100000 + kProbed * 0x1000, {0, 100 * 0x1000 + 2}}}};
  CHECK(ranges(split_by_chunks(large, far)) == Ranges{large});
  const Heads near{{{0x100000 + (kProbed - 1) * 0x1000, {0, 101 * 0x1000 + 2}}}};
  CHECK(split_by_chunks(large, near).size() == 2);
}

TEST_CASE("a head is asked for where one is likely, and elsewhere by the way") {
  std::vector<std::uint64_t> likely;
  const Heads heads{{{0x140000, {0, 0x20002}}}};
  split_by_chunks({0x100000, 0x180000},
                  [&](std::uint64_t at, std::uint64_t(&words)[2], bool is_likely) {
                    if (is_likely) {
                      likely.push_back(at);
                    }
                    return heads(at, words, is_likely);
                  });
  CHECK(likely == std::vector<std::uint64_t>{0x100000, 0x160000});
}

TEST_CASE("what only looks like a chunk parts nothing") {
  const Range range{0x100000, 0x200000};
  const auto kept = [&](std::uint64_t before, std::uint64_t size) {
    return ranges(split_by_chunks(range, Heads{{{0x100000, {before, size}}}})) == Ranges{range};
  };
  CHECK(kept(0, 0));
  CHECK(kept(0, 0x200002));  // too large
  CHECK(kept(0, 0x1f002));   // too small
  CHECK(kept(0, 0x60000));   // no mark
  CHECK(kept(0, 0x60003));
  CHECK(kept(8, 0x60002));
  CHECK(kept(0, 0x60012));
  CHECK_FALSE(kept(0, 0x60002));
  const auto unreadable = [](std::uint64_t, std::uint64_t(&)[2], bool) { return false; };
  CHECK(ranges(split_by_chunks(range, unreadable)) == Ranges{range});
}

TEST_CASE("a mapping is parted where another function has touched it first") {
  const auto split = [](const std::string& functions, std::uint64_t least) {
    const Range range{0x1000, 0x1000 + 0x100 * functions.size()};
    const auto function = [&](std::uint64_t address) -> std::uint64_t {
      const char letter = functions[(address - 0x1000) / 0x100];
      return letter == '.' ? 0 : static_cast<std::uint64_t>(letter);
    };
    std::vector<std::size_t> lengths;
    for (const Range& piece : split_by_function(range, 0x100, least, function)) {
      lengths.push_back(piece.bytes() / 0x100);
    }
    return lengths;
  };
  using Lengths = std::vector<std::size_t>;
  CHECK(split("aaaa", 0x200) == Lengths{4});
  CHECK(split("....", 0x200) == Lengths{4});
  CHECK(split("aaaabbbb", 0x200) == Lengths{4, 4});
  CHECK(split("aabbcc", 0x200) == Lengths{2, 2, 2});
  CHECK(split("aaaabaaa", 0x200) == Lengths{8});       // too short
  CHECK(split("a...a.bb.b", 0x200) == Lengths{6, 4});  // not known: as before
  CHECK(split("baaaaaaa", 0x200) == Lengths{8});       // too short to be one
  CHECK(split("aaaaaaab", 0x200) == Lengths{8});
}

TEST_CASE("the first fault of a page is its first touch, later ones are hints") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  touches.add(fault(kAt, 10), 100, 0, true);
  touches.add(fault(kAt + kPageBytes, 10, 3), 100, 0, true);
  touches.add(fault(kAt, 11), 200, 1, true);
  touches.add(fault(kAt + 5, 12, 4), 300, 2, true);
  const TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_thread == 10);
  CHECK(touches.codes()[unit->first_code] == 100);
  CHECK(unit->use[0] == 0);
  CHECK(unit->use[1] == 1);
  CHECK(unit->use[2] == 4);
  CHECK(unit->present == 3);
  CHECK(touches.first_touches() == 4);
  CHECK(touches.hints() == 5);
  CHECK(touches.find(kAt / kUnitBytes + 1) == nullptr);
}

TEST_CASE("a unit that was used where it is found was at first where who touched it first was") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  const auto found_on = [&](int column) {
    touches.note_home(*touches.find(kAt / kUnitBytes), column);
    touches.settle_homes();
    return touches.find(kAt / kUnitBytes)->home;
  };
  touches.add(fault(kAt, 10), 100, 2, true);
  CHECK(found_on(1) == 1);  // a policy of its own, or node 2 is full
  touches.add(fault(kAt, 11), 200, 3, true);
  CHECK(found_on(1) == 1);  // used from elsewhere: nothing has moved it to 1
  CHECK(found_on(3) == 2);
}

TEST_CASE("a use of which the samples come only after the look has moved a unit") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  touches.add(fault(kAt, 10), 100, 0, true);
  touches.note_home(*touches.find(kAt / kUnitBytes), 3);
  touches.add(fault(kAt, 11), 200, 3, true);
  touches.settle_homes();
  CHECK(touches.find(kAt / kUnitBytes)->home == 0);
  // Once settled it stays, whoever uses it.
  touches.note_home(*touches.find(kAt / kUnitBytes), 0);
  touches.settle_homes();
  touches.add(fault(kAt, 10), 200, 0, true);
  touches.settle_homes();
  CHECK(touches.find(kAt / kUnitBytes)->home == 0);
}

TEST_CASE(
    "where no sample of a unit told who touched it first, it is where it is found, if nobody used "
    "it there") {
  Touches touches;
  constexpr std::uint64_t kBlockNumber = 1000;
  constexpr std::uint64_t kAt = kBlockNumber * kBlockBytes;
  // The end of one thread's memory, and behind it the beginning of another's.
  touches.add(fault(kAt + 511 * kPageBytes, 11), 100, 1, true);
  bool present[512];
  std::ranges::fill(present, true);
  touches.take_fresh([&](std::uint64_t block) { touches.note_present(block, present); });
  TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK_FALSE(unit->is_own);
  CHECK(touches.find(kAt / kUnitBytes + 31)->is_own);
  touches.note_home(*unit, 0);
  touches.settle_homes();
  CHECK(unit->home == 0);
  touches.note_home(*unit, 0);
  touches.add(fault(kAt, 10), 200, 0, true);
  touches.settle_homes();
  CHECK(unit->home == -1);
}

TEST_CASE("what was moved unseen is where almost all was, and what is known by neighbours is not") {
  const auto unit = [](int home, int first, bool is_own) {
    TouchedUnit made;
    made.home = static_cast<std::int16_t>(home);
    made.first_column = static_cast<std::int16_t>(first);
    made.is_own = is_own;
    return made;
  };
  const auto settled = [](std::vector<TouchedUnit> units) {
    settle_by_most(units);
    std::map<int, int> homes;
    for (const TouchedUnit& one : units) {
      ++homes[one.home];
    }
    return homes;
  };
  using Units = std::vector<TouchedUnit>;
  using Homes = std::map<int, int>;
  const auto with = [&](int count, const TouchedUnit& most, int others, const TouchedUnit& other) {
    Units units(static_cast<std::size_t>(count), most);
    units.insert(units.end(), static_cast<std::size_t>(others), other);
    return units;
  };
  // A thread's memory, whose last block was told of by the beginning of the next thread's.
  CHECK(settled(with(225, unit(0, 0, true), 32, unit(0, 1, false))) == Homes{{0, 257}});
  CHECK(settled(with(90, unit(0, 0, true), 10, unit(2, 0, true))) == Homes{{0, 100}});
  CHECK(settled(with(89, unit(0, 0, true), 11, unit(2, 0, true))) == Homes{{0, 89}, {2, 11}});
  // A third was more than its node has room for.
  CHECK(settled(with(66, unit(0, 0, true), 34, unit(1, 0, true))) == Homes{{0, 66}, {1, 34}});
  CHECK(settled(with(99, unit(0, 0, true), 1, unit(-1, 0, true))) == Homes{{0, 100}});
  CHECK(settled({}).empty());
}

TEST_CASE("a huge page lies on one node") {
  const auto on = [](std::initializer_list<int> homes) {
    std::vector<TouchedUnit> units;
    for (const int home : homes) {
      units.emplace_back();
      units.back().home = static_cast<std::int16_t>(home);
      units.back().is_own = true;
    }
    // The rest of the page, which has moved since.
    units.emplace_back();
    units.back().home = 9;
    return may_be_one_page(units);
  };
  CHECK(on({}));
  CHECK(on({-1, -1}));
  CHECK(on({2, -1, 2}));
  CHECK(on({-1, 0, 0}));
  CHECK_FALSE(on({0, 0, 1}));
  CHECK_FALSE(on({-1, 3, -1, 0}));
}

TEST_CASE("a unit that is a neighbour's as well is left out") {
  std::vector<TouchedUnit> units(4);
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].number = 100 + i;
  }
  const auto numbers = [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> found;
    for (const TouchedUnit& unit : units_inside(units, begin, end)) {
      found.push_back(unit.number);
    }
    return found;
  };
  using Numbers = std::vector<std::uint64_t>;
  CHECK(numbers(100 * kUnitBytes, 104 * kUnitBytes) == Numbers{100, 101, 102, 103});
  CHECK(numbers(100 * kUnitBytes + kPageBytes, 104 * kUnitBytes) == Numbers{101, 102, 103});
  CHECK(numbers(100 * kUnitBytes, 104 * kUnitBytes - kPageBytes) == Numbers{100, 101, 102});
  CHECK(numbers(100 * kUnitBytes + kPageBytes, 101 * kUnitBytes) == Numbers{100, 101, 102, 103});
}

TEST_CASE("the earliest touch is the first, in whatever order the processors' samples come") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  const auto at_time = [](Sample sample, std::uint64_t time) {
    sample.time = time;
    return sample;
  };
  touches.add(at_time(fault(kAt, 11), 2000), 200, 3, true);  // a hint
  touches.add(at_time(fault(kAt, 10), 1000), 100, 0, true);
  const TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(touches.is_hint(at_time(fault(kAt, 12), 1000)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt, 12), 999)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt + 7 * kPageBytes, 12), 3000)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt + kUnitBytes, 12), 3000)));
  CHECK(unit->first_thread == 10);
  CHECK(unit->first_column == 0);
  CHECK(touches.codes()[unit->first_code] == 100);
  CHECK(unit->use[0] == 0);
  CHECK(unit->use[3] == 1);
  CHECK(touches.first_touches() == 1);
  CHECK(touches.hints() == 1);
  // Of another page of the unit.
  touches.add(at_time(fault(kAt + kPageBytes, 12), 500), 300, 2, true);
  CHECK(unit->first_thread == 12);
  CHECK(unit->use[0] == 0);
}

TEST_CASE("where there are no hints memory is touched anew") {
  Touches touches;
  touches.add(fault(0x100000, 10), 100, 0, false);
  touches.add(fault(0x100000, 11), 200, 1, false);
  const TouchedUnit* unit = touches.find(0x100000 / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_thread == 11);
  CHECK(unit->use[1] == 0);
  CHECK(touches.hints() == 0);
}

TEST_CASE("what no sample told of is its block's") {
  Touches touches;
  constexpr std::uint64_t kBlockNumber = 1000;
  constexpr std::uint64_t kAt = kBlockNumber * kBlockBytes;
  touches.add(fault(kAt + 20 * kPageBytes, 10), 100, 0, true);
  std::vector<std::uint64_t> fresh;
  bool present[512] = {};
  for (int page = 0; page < 64; ++page) {
    present[page] = true;
  }
  touches.take_fresh([&](std::uint64_t block) {
    fresh.push_back(block);
    touches.note_present(block, present);
  });
  CHECK(fresh == std::vector<std::uint64_t>{kBlockNumber});
  for (std::uint64_t unit = 0; unit < 4; ++unit) {
    const TouchedUnit* found = touches.find(kAt / kUnitBytes + unit);
    REQUIRE(found != nullptr);
    CHECK(found->first_thread == 10);
    CHECK(found->present == 0xffff);
  }
  CHECK(touches.find(kAt / kUnitBytes + 4) == nullptr);
  // A fault there is a hint now.
  touches.add(fault(kAt, 11), 200, 3, true);
  CHECK(touches.find(kAt / kUnitBytes)->use[3] == 1);
  CHECK(touches.find(kAt / kUnitBytes)->first_thread == 10);
}

TEST_CASE("what was there before is nobody's first touch") {
  Touches touches;
  bool present[512] = {};
  present[0] = true;
  touches.adopt(7, present);
  const TouchedUnit* unit = touches.find(7 * kBlockBytes / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_pages == 0);
  touches.add(fault(7 * kBlockBytes, 11), 200, 3, true);
  CHECK(touches.find(7 * kBlockBytes / kUnitBytes)->first_pages == 0);
  CHECK(touches.find(7 * kBlockBytes / kUnitBytes)->use[3] == 1);
}

TEST_CASE("what is forgotten leaves the rest as it was") {
  Touches touches;
  constexpr std::uint64_t kUnits = 20000;
  for (std::uint64_t unit = 1; unit <= kUnits; ++unit) {
    touches.add(fault(unit * kUnitBytes, static_cast<std::uint32_t>(unit)), 100, 0, true);
  }
  touches.forget(100 * kUnitBytes, 200 * kUnitBytes);
  for (std::uint64_t unit = 1; unit <= kUnits; ++unit) {
    const TouchedUnit* found = touches.find(unit);
    const bool is_forgotten = unit >= 100 && unit < 200;
    REQUIRE((found == nullptr) == is_forgotten);
    CHECK((is_forgotten || found->first_thread == unit));
  }
}

TEST_CASE("what can be known, and what an administrator could do") {
  const auto line = [](const Circumstances& here) { return line_of(here); };
  CHECK(tier_of({4, true, 0, 2}) == Tier::kHints);
  CHECK(tier_of({4, false, 0, 2}) == Tier::kTouches);
  CHECK(tier_of({1, true, 0, 2}) == Tier::kTouches);
  CHECK(tier_of({4, true, EACCES, 3}) == Tier::kPages);
  CHECK(std::string(name(Tier::kHints)) == "hints");
  CHECK(line({4, false, 0, 2})
            .ends_with("an administrator changes that by: sysctl kernel.numa_balancing=1"));
  CHECK(line({4, true, EACCES, 3}) ==
        "only where pages are is known, not who touches them: kernel.perf_event_paranoid is 3; an "
        "administrator "
        "changes that by: sysctl kernel.perf_event_paranoid=2");
  CHECK(line({4, true, EPERM, 2}).find("seccomp") != std::string::npos);
  // A sandbox that root is in, whom the setting does not concern.
  CHECK(line({4, true, EPERM, 3}).find("seccomp") != std::string::npos);
  CHECK(line({4, true, EPERM, 3}).find("paranoid") == std::string::npos);
  CHECK(line({4, true, ENOSYS, 2}).ends_with("perf_event_open: Function not implemented"));
  CHECK(line({1, false, 0, 2}) ==
        "nothing to mend: this machine has one node; who touched its memory first is sampled all "
        "the same");
  CHECK(line({1, false, EACCES, 3})
            .starts_with("nothing to mend: this machine has one node; only where"));
}

TEST_CASE("pages that wait for their hint fault are there", "[watch]") {
  // Of eight pages one is absent, and three are hidden: behind a scan that may be all of them.
  std::vector<std::int16_t> asked{0, 0, kIsHidden, 1, kIsHidden, kIsAbsent, kIsHidden, 1};
  const std::uint64_t page = 4096;

  SECTION("shared out as the rest where they were never seen") {
    settle_hidden(asked, {});
    const Whereabouts found = whereabouts_of(8 * page, asked);
    CHECK(found.there == 7 * page);
    CHECK(found.bytes_on[0] == 7 * page / 2);
    CHECK(found.bytes_on[1] == 7 * page / 2);
  }
  SECTION("where they were before") {
    const std::vector<std::int16_t> before{3, 3, 1, 3, 1, 3, 1, kIsAbsent};
    settle_hidden(asked, before);
    CHECK(asked == std::vector<std::int16_t>{0, 0, 1, 1, 1, kIsAbsent, 1, 1});
    const Whereabouts found = whereabouts_of(8 * page, asked);
    CHECK(found.there == 7 * page);
    CHECK(found.bytes_on[0] == 2 * page);
    CHECK(found.bytes_on[1] == 5 * page);
  }
  SECTION("there, wherever, where nothing is known of any") {
    std::vector<std::int16_t> all(4, kIsHidden);
    settle_hidden(all, std::vector<std::int16_t>(4, kIsHidden));
    const Whereabouts found = whereabouts_of(4 * page, all);
    CHECK(found.there == 4 * page);
    CHECK(found.bytes_on[0] == 0);
  }
  CHECK(whereabouts_of(page, {}).there == 0);
}
