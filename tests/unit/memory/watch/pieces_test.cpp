// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/pieces.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace nestbind::memory;

namespace {

using Ranges = std::vector<Range>;
Ranges ranges(const Pieces& pieces) { return {pieces.begin(), pieces.end()}; }

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
