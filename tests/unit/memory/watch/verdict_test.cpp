// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/verdict.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace nestbind::memory::watch::test {
namespace {

constexpr std::uint64_t kBytes = 4096;
constexpr std::uint64_t kAllPages = 4096;
constexpr std::uint64_t kSeconds = 20'000'000'000;  // duration of the samples

// The nodes are 0, 1, 8 and 9, to differ from their indices.
Facts facts_of(const std::function<int(std::uint64_t page, std::mt19937& chance)>& user,
               const std::function<int(std::uint64_t page)>& home, int samples = 4000) {
  std::mt19937 chance(1);
  Facts facts;
  facts.end = kAllPages * kBytes;
  facts.nodes = {0, 1, 8, 9};
  facts.team = {{0}, {1}, {8}, {9}};
  facts.home = [home](const Use& use) { return home(use.address / kBytes); };
  for (int i = 0; i < samples; ++i) {
    const std::uint64_t page = chance() % kAllPages;
    facts.uses.push_back({page * kBytes, user(page, chance), 1,
                          static_cast<std::uint64_t>(i) * kSeconds / samples, -1});
  }
  return facts;
}

int node_of_part(std::uint64_t page, std::mt19937&) {
  constexpr int kNodes[] = {0, 1, 8, 9};
  return kNodes[page / (kAllPages / 4)];
}
int any_node(std::uint64_t, std::mt19937& chance) {
  constexpr int kNodes[] = {0, 1, 8, 9};
  return kNodes[chance() % 4];
}
int all_on_0(std::uint64_t) { return 0; }
int interleaved(std::uint64_t page) {
  constexpr int kNodes[] = {0, 1, 8, 9};
  return kNodes[page % 4];
}
const std::vector<double> kOnFirst = {kAllPages, 0, 0, 0};
const std::vector<double> kEven(4, kAllPages / 4);

TEST_CASE("BLOCK is advised for parts that one thread initialised", "[memory]") {
  const Facts facts = facts_of(node_of_part, all_on_0);
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kBlock);
  CHECK(verdict.now.local == Approx(25).margin(3));
  CHECK(verdict.now.imbalance == Approx(200));
  CHECK(verdict.then.local == Approx(100));
  CHECK(verdict.then.imbalance < 10);
  CHECK(verdict.sharing.shared < 0.1);
  CHECK_FALSE(is_to_be_interleaved(facts, verdict, kOnFirst));
}

TEST_CASE("BLOCK is not advised if the parts' users are in another order", "[memory]") {
  Facts facts = facts_of(
      [](std::uint64_t page, std::mt19937&) {
        constexpr int kNodes[] = {9, 8, 1, 0};
        return kNodes[page / (kAllPages / 4)];
      },
      all_on_0);
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kOwn);
  CHECK(verdict.then.local > 95);
}

TEST_CASE("INTERLEAVE is advised for memory that all nodes use, and applied automatically",
          "[memory]") {
  const Facts facts = facts_of(any_node, all_on_0);
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kInterleave);
  CHECK(verdict.then.local == Approx(25));
  CHECK(verdict.then.imbalance == Approx(0));
  CHECK(verdict.sharing.shared > 0.9);
  CHECK(is_to_be_interleaved(facts, verdict, kOnFirst));
  CHECK_FALSE(is_to_be_interleaved(facts, verdict, kEven));
}

TEST_CASE("a few hundred samples are enough, and fewer are reported as too few", "[memory]") {
  const Facts enough = facts_of(any_node, all_on_0, 400);
  CHECK(is_to_be_interleaved(enough, judge(enough), kOnFirst));
  const Facts few = facts_of(any_node, all_on_0, 40);
  CHECK(judge(few).remedy == Remedy::kUnseen);
  CHECK(judge(few).samples == 40);
  CHECK_FALSE(is_to_be_interleaved(few, judge(few), kOnFirst));
}

TEST_CASE("the few samples of huge pages are enough for a clear case", "[memory]") {
  CHECK(judge(facts_of(node_of_part, all_on_0, 90)).remedy == Remedy::kBlock);
  CHECK(judge(facts_of(any_node, interleaved, 90)).remedy == Remedy::kUnseen);
}

TEST_CASE("nothing is advised for memory that is placed well", "[memory]") {
  const auto own = [](std::uint64_t page) {
    std::mt19937 unused;
    return node_of_part(page, unused);
  };
  CHECK(judge(facts_of(node_of_part, own)).remedy == Remedy::kNone);
  const Facts shared = facts_of(any_node, interleaved);
  CHECK(judge(shared).remedy == Remedy::kNone);
  CHECK_FALSE(is_to_be_interleaved(shared, judge(shared), kEven));
}

TEST_CASE("memory with one user on another node is moved to that node", "[memory]") {
  const Facts facts = facts_of([](std::uint64_t, std::mt19937&) { return 9; }, all_on_0);
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kLocal);
  CHECK(verdict.node == 9);
  CHECK(verdict.then.local == Approx(100));
  CHECK_FALSE(is_to_be_interleaved(facts, verdict, kOnFirst));
}

TEST_CASE("nothing is advised if the memory is on its only user's node", "[memory]") {
  const Facts facts = facts_of([](std::uint64_t, std::mt19937&) { return 0; }, all_on_0);
  CHECK(judge(facts).remedy == Remedy::kNone);
}

TEST_CASE("memory is not shared if each of two phases has one user", "[memory]") {
  Facts facts = facts_of([](std::uint64_t, std::mt19937&) { return 0; }, all_on_0, 2000);
  for (const Use& use :
       facts_of([](std::uint64_t, std::mt19937&) { return 8; }, all_on_0, 2000).uses) {
    facts.uses.push_back(use);
    facts.uses.back().time += kSeconds;
  }
  const Verdict verdict = judge(facts);
  CHECK(verdict.sharing.shared < 0.2);
  CHECK_FALSE(is_to_be_interleaved(facts, verdict, kOnFirst));
}

TEST_CASE("memory is shared if all nodes use it one after the other", "[memory]") {
  Facts facts = facts_of(any_node, all_on_0);
  for (std::size_t i = 0; i < facts.uses.size(); ++i) {
    facts.uses[i].node = facts.nodes[i / 50 % 4];  // a quarter of a second for each node
  }
  CHECK(judge(facts).remedy == Remedy::kInterleave);
}

TEST_CASE("INTERLEAVE is advised also if the home node is often first", "[memory]") {
  const auto eager = [](std::uint64_t page, std::mt19937& chance) {
    return chance() % 3 == 0 ? 0 : any_node(page, chance);
  };
  const Verdict verdict = judge(facts_of(eager, all_on_0));
  CHECK(verdict.now.local > 45);
  CHECK(verdict.remedy == Remedy::kInterleave);
}

TEST_CASE("memory of all nodes is interleaved also if half of the hinting faults are local",
          "[memory]") {
  const auto with_home = [](Facts facts) {
    for (std::size_t i = 0; i < facts.uses.size(); ++i) {
      facts.uses[i].home = i % 3 == 0 ? facts.uses[i].node : 0;
    }
    facts.home = [](const Use& use) { return use.home; };
    return facts;
  };
  const Facts shared = with_home(facts_of(any_node, all_on_0));
  CHECK(judge(shared).now.local > 45);
  CHECK(is_to_be_interleaved(shared, judge(shared), kOnFirst));
  // Interleaving would make most uses of node 0 remote.
  const auto mostly_0 = [](std::uint64_t page, std::mt19937& chance) {
    return chance() % 3 != 0 ? 0 : any_node(page, chance);
  };
  const Facts one = facts_of(mostly_0, all_on_0);
  CHECK(judge(one).sharing.shared > 0.95);
  CHECK_FALSE(is_to_be_interleaved(one, judge(one), kOnFirst));
}

TEST_CASE("shared memory has no owners, even if one node is almost always first", "[memory]") {
  // Node 9 makes seven of eight uses.
  const auto mostly_9 = [](std::uint64_t page, std::mt19937& chance) {
    return chance() % 8 != 0 ? 9 : any_node(page, chance);
  };
  Facts facts = facts_of(mostly_9, interleaved);
  facts.team.clear();
  const Verdict verdict = judge(facts);
  CHECK(verdict.sharing.alike > 0.75);
  CHECK(verdict.sharing.shared > 0.9);
  CHECK(verdict.now.local < 30);
  CHECK(verdict.remedy == Remedy::kNone);
}

TEST_CASE("memory is not interleaved if a part belongs to single nodes", "[memory]") {
  const auto own_in_a_third = [](std::uint64_t page, std::mt19937& chance) {
    return page < kAllPages / 3 ? node_of_part(3 * page, chance) : any_node(page, chance);
  };
  const Facts mixed = facts_of(own_in_a_third, all_on_0);
  CHECK_FALSE(is_to_be_interleaved(mixed, judge(mixed), kOnFirst));
  constexpr std::uint64_t kHugePages = 32;
  constexpr std::uint64_t kHugeBytes = std::uint64_t{2} << 20;
  std::mt19937 chance(1);
  for (const bool is_mixed : {false, true}) {
    Facts facts = facts_of(any_node, all_on_0, 0);
    facts.end = kHugePages * kHugeBytes;
    for (std::uint64_t i = 0; i < 3 * kHugePages; ++i) {
      const std::uint64_t page = i % kHugePages;
      const int node = is_mixed && page < kHugePages / 3 ? 1 : any_node(page, chance);
      facts.uses.push_back(
          {page * kHugeBytes + chance() % kHugeBytes, node, 1, i / kHugePages * 2'000'000'000, -1});
    }
    CHECK(is_to_be_interleaved(facts, judge(facts), kOnFirst) == !is_mixed);
  }
}

TEST_CASE("the decision waits if a part was used after only one scan", "[memory]") {
  const auto own_in_a_third = [](std::uint64_t page, std::mt19937& chance) {
    return page < kAllPages / 3 ? node_of_part(3 * page, chance) : any_node(page, chance);
  };
  Facts facts = facts_of(own_in_a_third, all_on_0);
  std::erase_if(facts.uses, [](const Use& use) {
    return use.address < kAllPages / 3 * kBytes && use.time > kSeconds / 40;
  });
  const Verdict verdict = judge(facts);
  CHECK(verdict.sharing.is_known());
  CHECK(verdict.sharing.shared > 0.9);
  CHECK_FALSE(is_to_be_interleaved(facts, verdict, kOnFirst));
}

TEST_CASE("uneven losses of samples allow no verdict", "[memory]") {
  Facts facts = facts_of(node_of_part, all_on_0);
  facts.may_be_judged = false;
  CHECK(judge(facts).remedy == Remedy::kUnseen);
}

TEST_CASE("unknown homes of pages allow no verdict", "[memory]") {
  const auto home_of_some = [](std::uint64_t page) { return page % 2 == 0 ? 0 : -1; };
  CHECK(judge(facts_of(node_of_part, home_of_some)).remedy == Remedy::kUnseen);
}

TEST_CASE("64 nodes are distinguished", "[memory]") {
  Facts facts = facts_of(any_node, all_on_0);
  facts.nodes.clear();
  facts.team.clear();
  for (int node = 0; node < 64; ++node) {
    facts.nodes.push_back(node);
    facts.team.push_back({node});
  }
  for (Use& use : facts.uses) {
    use.node = static_cast<int>(use.address / kBytes / (kAllPages / 64));
  }
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kBlock);
  CHECK(verdict.then.local == Approx(100));
  CHECK(verdict.users.size() == 64);
}

TEST_CASE("a huge page weighs as much as an equal area of small pages", "[memory]") {
  Facts facts = facts_of(node_of_part, all_on_0, 0);
  for (std::uint64_t page = 0; page < kAllPages;
       ++page) {  // 512 uses of the first 2 MiB, 1 use of each other 2 MiB
    if (page < 512 || page % 512 == 0) {
      std::mt19937 unused;
      facts.uses.push_back({page * kBytes, node_of_part(page, unused), 1.0, page, -1});
    }
  }
  facts.uses.back().weight = 1000;  // this use represents further uses
  weigh_evenly(facts);
  const Verdict verdict = judge(facts);
  CHECK(verdict.remedy == Remedy::kBlock);
  for (const double part : verdict.users) {
    CHECK(part == Approx(25));
  }
}

TEST_CASE("the imbalance follows the published formula", "[memory]") {
  CHECK(imbalance_of(std::vector<double>{100, 0, 0, 0}) == Approx(200));
  CHECK(imbalance_of(std::vector<double>{97, 1, 1, 1}) == Approx(192));
  CHECK(imbalance_of(std::vector<double>{1, 1}) == Approx(0));
}

}  // namespace
}  // namespace nestbind::memory::watch::test
