// SPDX-License-Identifier: BSD-3-Clause
#include "memory/advice.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "chance.hpp"

using namespace nestbind::memory;

namespace {

constexpr int kNodes = 4;
constexpr std::size_t kUnits = 1024;  // 64 MiB
constexpr std::uintptr_t kBegin = 0x700000000000;
const PageSizes kSizes;

using Samples4 = std::vector<std::uint32_t>;

// A region of which each unit was sampled so, and is there.
RegionFacts facts(const std::function<Samples4(std::size_t)>& samples,
                  const std::function<int(std::size_t)>& home) {
  RegionFacts result;
  result.range = {kBegin, kBegin + kUnits * kSizes.unit()};
  result.seen = Seen(kNodes);
  result.bytes_on.resize(kNodes);
  for (std::size_t i = 0; i < kUnits; ++i) {
    result.seen.add({kBegin + i * kSizes.unit(), kSizes.unit(), false}, home(i), samples(i), 1);
    result.bytes_on[static_cast<std::size_t>(home(i))] += kSizes.unit();
    result.samples += result.seen.all(i);
  }
  return result;
}

Samples4 only(std::size_t node, std::uint32_t samples = 16) {
  Samples4 result(kNodes);
  result[node] = samples;
  return result;
}

Samples4 alike(std::size_t) { return {4, 4, 4, 4}; }
Samples4 in_four(std::size_t i) { return only(i * kNodes / kUnits); }
int on_node_0(std::size_t) { return 0; }
int in_turn(std::size_t i) { return static_cast<int>(i % kNodes); }

Advice advice(const RegionFacts& of) { return advice_on(of, kSizes); }

void check_figures(const Figures& figures, double local, double imbalance) {
  CHECK(figures.local == Approx(local).margin(0.5));
  CHECK(figures.imbalance == Approx(imbalance).margin(0.5));
}

}  // namespace

TEST_CASE("initialised by one thread, used in parts: BLOCK") {
  const Advice found = advice(facts(in_four, on_node_0));
  CHECK(found.remedy == Remedy::kBlock);
  CHECK(found.users == std::vector<double>{25, 25, 25, 25});
  CHECK(found.own == 100);
  check_figures(found.now, 25, 200);
  check_figures(found.after, 100, 0);
  CHECK(found.damage > 0);
}

TEST_CASE("a page that two parts share is seen from both: BLOCK all the same") {
  const auto shared_edges = [](std::size_t i) {
    return i % 256 == 255 && i + 1 < kUnits ? Samples4{4, 4, 4, 4} : in_four(i);
  };
  const Advice found = advice(facts(shared_edges, on_node_0));
  CHECK(found.remedy == Remedy::kBlock);
  CHECK(found.own == Approx(100 * 1021.0 / 1024));
  check_figures(found.after, 99.8, 0);
}

TEST_CASE("threads that sit on the nodes in turn have parts in turn: BLOCK") {
  const auto eight_threads = [](std::size_t i) { return only(i * 8 / kUnits % kNodes); };
  const Advice found = advice(facts(eight_threads, on_node_0));
  CHECK(found.remedy == Remedy::kBlock);
  check_figures(found.after, 100, 0);
}

TEST_CASE("pages of one user each, here and there: each to its user") {
  const auto scattered = [](std::size_t i) { return only(i * 7 % kNodes); };
  const Advice found = advice(facts(scattered, on_node_0));
  CHECK(found.remedy == Remedy::kOwn);
  check_figures(found.after, 100, 0);
}

TEST_CASE("allocated in one team and used by another, on one node: all there") {
  const Advice found = advice(facts([](std::size_t) { return only(2); }, in_turn));
  CHECK(found.remedy == Remedy::kLocal);
  CHECK(found.users == std::vector<double>{0, 0, 100, 0});
  check_figures(found.now, 25, 0);
  check_figures(found.after, 100, 200);
}

TEST_CASE("shared, and all on one node: INTERLEAVE") {
  const Advice found = advice(facts(alike, on_node_0));
  CHECK(found.remedy == Remedy::kInterleave);
  CHECK(found.own == 0);
  check_figures(found.now, 25, 200);
  check_figures(found.after, 25, 0);
}

TEST_CASE("shared and only read: replicas, where it is known") {
  RegionFacts read = facts(alike, on_node_0);
  RegionFacts of_it = read;
  of_it.seen = Seen(kNodes);
  for (std::size_t i = 0; i < read.seen.size(); ++i) {
    of_it.seen.add(read.seen.unit(i), read.seen.home(i), read.seen.samples(i), 0);
  }
  CHECK(advice(of_it).remedy == Remedy::kInterleave);
  of_it.are_writes_known = true;
  CHECK(advice(of_it).remedy == Remedy::kReplicate);
  check_figures(advice(of_it).after, 100, 0);
  read.are_writes_known = true;  // and it was written
  CHECK(advice(read).remedy == Remedy::kInterleave);
}

TEST_CASE("nothing to mend") {
  const auto in_place = [](std::size_t i) { return static_cast<int>(i * kNodes / kUnits); };
  SECTION("each part where it is used") {
    const Advice found = advice(facts(in_four, in_place));
    CHECK(found.remedy == Remedy::kNone);
    CHECK(found.damage == 0);
    check_figures(found.now, 100, 0);
    check_figures(found.after, 100, 0);
  }
  SECTION("one thread's, on its node") {
    CHECK(
        advice(facts([](std::size_t) { return only(3); }, [](std::size_t) { return 3; })).remedy ==
        Remedy::kNone);
  }
  SECTION("shared, and spread already") {
    CHECK(advice(facts(alike, in_turn)).remedy == Remedy::kNone);
  }
  SECTION("80 % local") {
    const auto mostly = [](std::size_t) { return Samples4{80, 20, 0, 0}; };
    const auto less = [](std::size_t) { return Samples4{79, 21, 0, 0}; };
    CHECK(advice(facts(mostly, on_node_0)).remedy == Remedy::kNone);
    CHECK(advice(facts(less, on_node_0)).remedy != Remedy::kNone);
  }
}

TEST_CASE("of what was hardly seen nothing is said") {
  RegionFacts found = facts(in_four, on_node_0);
  const Seen all = found.seen;
  for (const std::size_t units : {std::size_t{0}, std::size_t{15}, std::size_t{16}}) {
    found.seen = Seen(kNodes);
    for (std::size_t i = 0; i < units; ++i) {
      found.seen.add(all.unit(i), all.home(i), all.samples(i), 1);
    }
    CHECK((advice(found).remedy == Remedy::kUnseen) == (units < 16));
  }
  // Half of a small region is enough.
  found.range.end = found.range.begin + 4 * kSizes.unit();
  for (const std::size_t units : {std::size_t{1}, std::size_t{2}}) {
    found.seen = Seen(kNodes);
    for (std::size_t i = 0; i < units; ++i) {
      found.seen.add(all.unit(i), all.home(i), all.samples(i), 1);
    }
    CHECK((advice(found).remedy == Remedy::kUnseen) == (units < 2));
  }
  // Nor of what lies nobody knows where.
  CHECK(advice(facts(in_four, on_node_0)).remedy == Remedy::kBlock);
  RegionFacts nowhere = facts(in_four, on_node_0);
  for (std::size_t i = 0; i < nowhere.seen.size(); ++i) {
    nowhere.seen.set_home(i, -1);
  }
  CHECK(advice(nowhere).remedy == Remedy::kUnseen);
}

TEST_CASE("where most of it lay has to be known") {
  RegionFacts few = facts(in_four, on_node_0);
  RegionFacts most = few;
  for (std::size_t i = 0; i < kUnits; ++i) {
    few.seen.set_home(i, i % 5 < 2 ? 0 : -1);
    most.seen.set_home(i, i % 5 < 3 ? 0 : -1);
  }
  CHECK(advice(few).remedy == Remedy::kUnseen);
  CHECK(advice(most).remedy == Remedy::kBlock);
}

TEST_CASE("the model: local, remote, and crowded") {
  CHECK(modelled_cycles({100, 0}) == 240);
  CHECK(modelled_cycles({0, 0}) == 300);
  CHECK(modelled_cycles({0, 200}) == 1200);
}

TEST_CASE("damage is what a remedy saves: more of what is used more") {
  const double parts = advice(facts(in_four, on_node_0)).damage;
  const double busy =
      advice(facts([](std::size_t i) { return only(i * kNodes / kUnits, 32); }, on_node_0)).damage;
  CHECK(busy == Approx(2 * parts));
  CHECK(advice(facts(alike, on_node_0)).damage < parts);
}

TEST_CASE("a remedy is never worse than what is, whatever was seen") {
  Chance chance(21);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t kinds = chance.between(1, 4);
    const RegionFacts of = facts(
        [&](std::size_t unit) {
          return chance.below(4) < kinds
                     ? only(chance.one_in(2) ? chance.below(4) : unit * kNodes / kUnits)
                     : Samples4{static_cast<std::uint32_t>(chance.between(4, 9)), 4, 0,
                                static_cast<std::uint32_t>(chance.below(9))};
        },
        [&](std::size_t) { return chance.one_in(3) ? static_cast<int>(chance.below(4)) : 0; });
    const Advice found = advice(of);
    REQUIRE(found.remedy != Remedy::kUnseen);
    REQUIRE(found.damage >= 0);
    REQUIRE((found.damage > 0) == (found.remedy != Remedy::kNone));
    REQUIRE(found.after.local >= 0);
    REQUIRE(found.after.local <= 100);
  }
}
