// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/tree_sheet.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace nestbind;
using namespace nestbind::ranks;

namespace {

constexpr std::uint64_t kTreeKey = 0xfedcba9876543210;

std::unique_ptr<TreeSheet> empty_sheet() {
  auto sheet = std::make_unique<TreeSheet>();
  begin(*sheet, kTreeKey);
  return sheet;
}

// What a process knows of itself, and what the model knows of it.
struct Known {
  TreeProcess process;
  int entry = kNoEntry;
  std::uint32_t seen = 0;
  TreeShare share;
  int inside = 0;
  long outside_since = 0;
  bool is_live = false;  // as the contract says, at the last look
  std::uint64_t asked_with = 0;
  bool runs = true;
};

class Tree {
 public:
  TreeSheet& sheet() { return *sheet_; }
  std::map<std::uint32_t, Known>& all() { return all_; }
  long now = 1000;

  Known& begin_process(std::uint32_t number, std::uint64_t mask) {
    Known& known = all_[number];
    known = {};
    known.process = {number, static_cast<std::uint16_t>(++starts_), mask};
    return known;
  }

  // Any thorough check finds what has ended; a quick one finds only that the number is not used.
  void ask(Known& self, bool has_zombies) {
    look(*sheet_, self.entry, self.process.number, now,
         [&](std::uint32_t number, std::uint16_t start, bool is_thorough) {
           const auto found = all_.find(number);
           const bool runs = found != all_.end() && found->second.runs;
           return (has_zombies && !is_thorough) || (runs && found->second.process.start == start);
         });
    self.entry = enter(*sheet_, self.entry, self.process, now);
    self.share = share_of(*sheet_, self.entry, self.process, now);
    self.seen = sheet_->changes.load();
  }

  void go_in(Known& self) {
    self.inside +=
        self.entry != kNoEntry && go_inside(sheet_->entries[self.entry], self.process.number) ? 1
                                                                                              : 0;
  }
  void go_out(Known& self) {
    if (self.inside > 0) {
      go_outside(sheet_->entries[self.entry], self.process.number, now);
      --self.inside;
      self.outside_since = now;
    }
  }

 private:
  std::unique_ptr<TreeSheet> sheet_ = empty_sheet();
  std::map<std::uint32_t, Known> all_;
  std::uint16_t starts_ = 0;
};

}  // namespace

TEST_CASE("live processes with one mask have the numbers from 0 on") {
  Tree tree;
  for (std::uint32_t number = 10; number < 14; ++number) {
    Known& known = tree.begin_process(number, 1);
    tree.ask(known, false);
    CHECK(known.share.index == static_cast<int>(number) - 10);
    CHECK(known.share.of == static_cast<int>(number) - 9);
  }
  Known& other = tree.begin_process(20, 2);
  tree.ask(other, false);
  CHECK(other.share.index == 0);
  CHECK(other.share.of == 1);
}

TEST_CASE("a process that rests is dropped after five seconds and one inside a region is not") {
  Tree tree;
  Known& resting = tree.begin_process(10, 1);
  Known& working = tree.begin_process(11, 1);
  Known& asking = tree.begin_process(12, 1);
  tree.ask(resting, false);
  tree.ask(working, false);
  tree.go_in(resting);
  tree.go_in(working);
  tree.now += 1000;
  tree.go_out(resting);
  tree.now += kRest - 1;
  tree.ask(asking, false);
  CHECK(asking.share.of == 3);
  tree.now += 1;
  tree.ask(asking, false);
  CHECK(asking.share.of == 2);
  CHECK(tree.sheet().changes.load() != resting.seen);
  CHECK_FALSE(go_inside(tree.sheet().entries[resting.entry], resting.process.number));
  tree.ask(resting, false);
  CHECK(resting.share.of == 3);
}

TEST_CASE("a process that ended inside a region gives its part back") {
  Tree tree;
  Known& ended = tree.begin_process(10, 1);
  Known& asking = tree.begin_process(11, 1);
  tree.ask(ended, false);
  tree.go_in(ended);
  tree.ask(asking, false);
  CHECK(asking.share.index == 1);
  ended.runs = false;
  tree.ask(asking, false);
  CHECK(asking.share.index == 0);
  CHECK(asking.share.of == 1);
}

TEST_CASE("a process number that is used again is another process") {
  Tree tree;
  Known& first = tree.begin_process(10, 1);
  tree.ask(first, false);
  tree.go_in(first);
  Known& again = tree.begin_process(10, 1);
  Known& asking = tree.begin_process(11, 1);
  tree.ask(asking, false);
  CHECK(asking.share.of == 1);
  tree.ask(again, false);
  CHECK(again.share.of == 2);
  CHECK(again.share.index == 1);
}

TEST_CASE("a program that was started by exec does not keep the entry of the program before it") {
  Tree tree;
  Known& known = tree.begin_process(10, 1);
  tree.ask(known, false);
  tree.go_in(known);
  known.entry = kNoEntry;
  tree.ask(known, false);
  CHECK(known.share.of == 1);
  CHECK(threads_in(tree.sheet().entries[known.entry].inside.load()) == 0);
}

TEST_CASE("a region that was never begun here is not counted at its end") {
  Tree tree;
  Known& known = tree.begin_process(10, 1);
  tree.ask(known, false);
  TreeEntry& entry = tree.sheet().entries[known.entry];
  go_outside(entry, 10, tree.now);
  go_outside(entry, 11, tree.now);
  CHECK(entry.process() == 10);
  CHECK(threads_in(entry.inside.load()) == 0);
}

TEST_CASE("processes beyond the sheet share with others and know it") {
  Tree tree;
  for (std::uint32_t number = 1; number <= kMostLive; ++number) {
    tree.ask(tree.begin_process(number, 1), false);
  }
  for (std::uint32_t number = 1001; number < 1010; ++number) {
    Known& known = tree.begin_process(number, 1);
    tree.ask(known, false);
    CHECK(known.share.is_crowded);
    CHECK(known.share.of == kMostLive);
    CHECK(known.share.index == static_cast<int>(number % kMostLive));
  }
  Known& other = tree.begin_process(2000, 2);
  tree.ask(other, false);
  CHECK(other.share.of == 1);
  tree.all()[7].runs = false;
  for (int looks = 0; looks < 40 && other.entry == kNoEntry; ++looks) {
    tree.ask(other, false);
  }
  CHECK(other.share.of == 1);
  CHECK(other.entry == 6);
}

TEST_CASE("looks find 200 zombies in the end") {
  Tree tree;
  for (std::uint32_t number = 1; number <= 200; ++number) {
    Known& known = tree.begin_process(number, 1);
    tree.ask(known, true);
    tree.go_in(known);
    known.runs = number == 100;
  }
  Known& asking = tree.all()[100];
  int looks = 0;
  while (asking.share.of > 1 && looks < 1000) {
    tree.ask(asking, true);
    ++looks;
  }
  CHECK(asking.share.of == 1);
  CHECK(looks <= 30);
}

TEST_CASE("a damaged sheet gives some share and never a wrong index") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Tree tree;
    for (int byte = 0; byte < 400; ++byte) {
      auto* const bytes = reinterpret_cast<unsigned char*>(tree.sheet().entries);
      bytes[random() % sizeof tree.sheet().entries] = static_cast<unsigned char>(random());
    }
    tree.sheet().next_check = static_cast<std::uint32_t>(random());
    Known& known = tree.begin_process(10, 1);
    tree.ask(known, round % 2 == 0);
    CHECK(known.share.of >= 1);
    CHECK(known.share.index >= 0);
    CHECK(known.share.index < known.share.of);
  }
  TreeSheet sheet{};
  CHECK_FALSE(is_good(sheet, kTreeKey));
  CHECK_FALSE(is_good(sheet, 0));
}

TEST_CASE("the sign of a mask depends on its processors only") {
  mask::MaskBuffer mask{};
  mask::add(mask.bits, 3);
  const mask::CpuMask whole = mask.view();
  const mask::CpuMask cut{sizeof(unsigned long), mask.bits};
  CHECK(mask_sign(whole) == mask_sign(cut));
  const std::uint64_t before = mask_sign(whole);
  mask::add(mask.bits, 4);
  CHECK(mask_sign(whole) != before);
  CHECK(mask_sign({0, nullptr}) == mask_sign({0, nullptr}));
  CHECK(mask_sign({0, nullptr}) != before);
}

// The model: a process is live from its question until it has ended, or has been outside regions
// for five seconds when another asks. Processes that have asked after the last change have
// different indices, which are all numbers below the number of live processes with their mask.
TEST_CASE("random sequences agree with the model") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return random() % limit; };
    Tree tree;
    std::uint32_t next = 1;
    const auto live_with = [&](std::uint64_t mask) {
      int live = 0;
      for (const auto& [number, known] : tree.all()) {
        live += known.is_live && known.runs && known.asked_with == mask ? 1 : 0;
      }
      return live;
    };
    const auto ask = [&](Known& self) {
      for (auto& [number, other] : tree.all()) {
        other.is_live =
            other.is_live && other.runs &&
            (&other == &self || other.inside > 0 || tree.now - other.outside_since < kRest);
      }
      self.is_live = true;
      self.asked_with = self.process.mask;
      self.outside_since = tree.now;
      tree.ask(self, false);
      CHECK(self.share.of == live_with(self.process.mask));
      CHECK(self.share.index < self.share.of);
    };
    for (int step = 0; step < 200; ++step) {
      if (tree.all().size() < 8 && below(4) == 0) {
        tree.begin_process(next, below(2));
        next = below(6) == 0 ? 1 + below(next) : next + 1;
        while (tree.all().count(next) != 0 && tree.all()[next].runs) {
          ++next;
        }
      }
      if (tree.all().empty()) {
        continue;
      }
      auto chosen = tree.all().begin();
      std::advance(chosen, below(static_cast<unsigned>(tree.all().size())));
      Known& self = chosen->second;
      switch (self.runs ? below(8) : 8) {
        case 0:
          self.process.mask = below(2);
          ask(self);
          break;
        case 1:
        case 2:
          ask(self);
          break;
        case 3:
        case 4:
          if (self.entry != kNoEntry && self.seen != tree.sheet().changes.load()) {
            ask(self);
          }
          tree.go_in(self);
          break;
        case 5:
          tree.go_out(self);
          break;
        case 6:
          self.runs = false;  // by a signal: nothing is written
          break;
        case 7:
          leave(tree.sheet(), self.entry, self.process.number);
          self.entry = kNoEntry;
          self.inside = 0;
          self.is_live = false;
          break;
        default:
          break;
      }
      tree.now += below(3) == 0 ? below(3000) : 1;
    }
    // Everybody asks once, and then again after each change.
    for (auto& [number, known] : tree.all()) {
      if (known.runs) {
        tree.go_in(known);
      }
    }
    for (int round = 0; round < 3; ++round) {
      for (auto& [number, known] : tree.all()) {
        if (known.runs && (round == 0 || known.seen != tree.sheet().changes.load())) {
          ask(known);
        }
      }
    }
    for (const std::uint64_t mask : {0, 1}) {
      std::vector<int> indices;
      for (const auto& [number, known] : tree.all()) {
        if (known.process.mask == mask && known.runs) {
          CHECK(known.seen == tree.sheet().changes.load());
          CHECK(known.share.of == live_with(mask));
          indices.push_back(known.share.index);
        }
      }
      std::sort(indices.begin(), indices.end());
      CHECK(static_cast<int>(indices.size()) == live_with(mask));
      for (std::size_t i = 0; i < indices.size(); ++i) {
        CHECK(indices[i] == static_cast<int>(i));
      }
    }
  }
}
