// SPDX-License-Identifier: BSD-3-Clause
// Tests that all members of a team get the same parameters in each execution.
#include "loops/site.hpp"

#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

constexpr Ticks kTake = 10;

struct Entered {
  Parameters parameters;
  std::vector<std::uint32_t> weights;
  bool is_measured = false;
};

Entered enter(Site& site, int member, const Moment& moment, const Schedule& schedule,
              std::uint64_t iterations, Ticks take = kTake) {
  Entered result;
  result.is_measured = site.enter(member, moment, schedule, iterations, take, result.parameters);
  if (result.parameters.weights != nullptr) {
    result.weights.assign(result.parameters.weights,
                          result.parameters.weights + site.threads() + 1);
  }
  return result;
}

bool is_same(const Entered& a, const Entered& b) {
  return a.parameters.static_parts == b.parameters.static_parts &&
         a.parameters.chunk == b.parameters.chunk && a.weights == b.weights &&
         a.is_measured == b.is_measured;
}

// Half of the share is a block, and member 0 has half the speed of the others.
void leave(Site& site, int member, Ticks now, std::uint64_t share) {
  const Ticks slowness = member == 0 ? 2 : 1;
  const Ticks block_end = now + slowness * 10 * (share / 2);
  Tally tally;
  tally.of_block = share / 2;
  tally.of_own_queue = share - share / 2;
  site.leave(member, {now, block_end, now + 15 * share}, tally);
}

TEST_CASE("parameters follow the measurements two executions later", "[loops]") {
  const Owned<Site> site = make_site(4);
  const Schedule schedule = good("hybrid");
  std::vector<int> parts;
  std::vector<std::uint64_t> chunks;
  for (std::uint64_t fork = 1; fork <= 5; ++fork) {
    for (int member = 0; member < 4; ++member) {
      const Entered entered = enter(*site, member, {fork, 0}, schedule, 100000);
      CHECK(entered.is_measured);
      if (member == 0) {
        parts.push_back(entered.parameters.static_parts);
        chunks.push_back(entered.parameters.chunk);
      }
    }
    for (int member = 0; member < 4; ++member) {
      leave(*site, member, fork * 1000000, 25000);
    }
  }
  // The longest time is 1.6 times the mean, so the static fraction is 1 - 1.2 * 0.6.
  CHECK(parts == std::vector<int>{32, 32, 17, 17, 17});
  // At first a share has 32 chunks. Then an iteration takes 12.5 ticks, and an access to the queue
  // 10 ticks. So a chunk may have 40 to 250 iterations. The largest power of two in this range is
  // 128.
  CHECK(chunks == std::vector<std::uint64_t>{781, 781, 128, 128, 128});
}

TEST_CASE("options that the schedule gives are not measured", "[loops]") {
  const Owned<Site> site = make_site(2);
  const Schedule schedule = good("hybrid,f=0.25,chunk=7");
  for (std::uint64_t fork = 1; fork <= 4; ++fork) {
    for (int member = 0; member < 2; ++member) {
      const Entered entered = enter(*site, member, {fork, 0}, schedule, 10000);
      CHECK(entered.parameters.static_parts == 16);
      CHECK(entered.parameters.chunk == 7);
      CHECK(entered.parameters.weights == nullptr);
      leave(*site, member, fork * 1000000, 5000);
    }
  }
}

// Runs a loop of 1000 iterations `count` times. Returns which executions were measured. A block
// needs the time `time`. Member 0 needs the additional time `late`.
std::vector<bool> executions(Site& site, const char* text, std::uint64_t first, int count,
                             Ticks time, Ticks late) {
  std::vector<bool> measured;
  for (std::uint64_t fork = first; fork < first + static_cast<std::uint64_t>(count); ++fork) {
    for (int member = 0; member < site.threads(); ++member) {
      const Entered entered = enter(site, member, {fork, 0}, good(text), 1000);
      measured.resize(fork - first + 1, entered.is_measured);
      CHECK(measured.back() == entered.is_measured);
      const Ticks now = fork * 1000000;
      const Ticks end = now + time + (member == 0 ? late : 0);
      Tally tally;
      tally.of_block = 1000 / static_cast<std::uint64_t>(site.threads());
      if (entered.is_measured) {
        site.leave(member, {now, end, end}, tally);
      }
    }
  }
  return measured;
}

TEST_CASE("a loop that cannot gain is measured seldom", "[loops]") {
  const Owned<Site> site = make_site(4);
  // Two accesses to the queue cost 20 ticks. The first two times are known before the third
  // execution.
  const std::vector<bool> first = executions(*site, "hybrid", 1, 1000, 500, 10);
  CHECK(std::count(first.begin(), first.begin() + 7, true) == 7);
  const auto seldom = std::count(first.begin() + 7, first.end(), true);
  CHECK(seldom > 993 / 24);
  CHECK(seldom < 993 / 10);
  CHECK(site->summary().static_parts == kParts);
  const std::vector<bool> late = executions(*site, "hybrid", 1001, 300, 50000, 30000);
  CHECK(std::count(late.begin(), late.end(), true) > 200);
  CHECK(late.back());
  CHECK(site->summary().static_parts < kParts);
}

TEST_CASE("a loop with a given fraction is measured seldom after its chunk is stable", "[loops]") {
  const Owned<Site> site = make_site(4);
  const std::vector<bool> measured = executions(*site, "hybrid,f=0.5", 1, 500, 50000, 30000);
  CHECK(std::count(measured.begin() + 50, measured.end(), true) < 450 / 10);
  CHECK(site->summary().static_parts == 32);
  executions(*site, "hybrid", 501, 200, 50000, 30000);
  CHECK(site->summary().static_parts < 50);
  CHECK(site->summary().static_parts > 0);
}

TEST_CASE("weights are measured speeds", "[loops]") {
  const Owned<Site> site = make_site(4);
  const Schedule schedule = good("hybrid,weights=measured");
  Entered entered;
  for (std::uint64_t fork = 1; fork <= 3; ++fork) {
    for (int member = 0; member < 4; ++member) {
      entered = enter(*site, member, {fork, 0}, schedule, 100000);
    }
    for (int member = 0; member < 4; ++member) {
      leave(*site, member, fork * 1000000, 25000);
    }
  }
  // All members together take 5 units of time. Member 0 takes 2 units for a quarter of the work, so
  // its speed is 0.625 of the mean. The other members have 1.25 of the mean.
  REQUIRE(entered.weights.size() == 5);
  CHECK(entered.weights[0] == 0);
  CHECK(entered.weights[1] == Approx(2560).margin(2));
  CHECK(entered.weights[4] == Approx(2560 + 3 * 5120).margin(8));
}

// Four members execute a loop of 100000 iterations. Returns the weights of the last member.
std::vector<std::uint32_t> weights_of(Site& site, std::uint64_t fork, const char* schedule) {
  Entered entered;
  for (int member = 0; member < 4; ++member) {
    entered = enter(site, member, {fork, 0}, good(schedule), 100000);
  }
  for (int member = 0; entered.is_measured && member < 4; ++member) {
    leave(site, member, fork * 1000000, 25000);
  }
  return entered.weights;
}

// Each of two sets of parameters has a table of weights. Only schedules with weights write to a
// table.
TEST_CASE("weights begin anew after another schedule", "[loops]") {
  for (int before = 0; before <= 4; ++before) {
    for (int others = 1; others <= 3; ++others) {
      INFO("before: " << before << ", others: " << others);
      const Owned<Site> site = make_site(4);
      std::uint64_t fork = 0;
      for (int i = 0; i < before; ++i) {
        weights_of(*site, ++fork, "hybrid,weights=measured");
      }
      for (int i = 0; i < others; ++i) {
        CHECK(weights_of(*site, ++fork, "hybrid,f=0.5").empty());
      }
      CHECK(weights_of(*site, ++fork, "hybrid,weights=measured").empty());
      std::vector<std::uint32_t> weights;
      for (int i = 0; i < 100 && weights.empty(); ++i) {  // a settled loop is seldom measured
        weights = weights_of(*site, ++fork, "hybrid,weights=measured");
      }
      REQUIRE(weights.size() == 5);
      CHECK(weights[1] == Approx(2560).margin(2));
      CHECK(weights[4] == Approx(2560 + 3 * 5120).margin(8));
    }
  }
}

// If a compiler removes a loop's body, iterations take no time.
TEST_CASE("a huge loop whose iterations take no time has few chunks", "[loops]") {
  constexpr std::uint64_t kIterations = (std::uint64_t{1} << 63) + 17;
  for (const char* text : {"hybrid,f=0", "hybrid,f=0.5", "hybrid,queue=all"}) {
    const Owned<Site> site = make_site(2);
    Entered entered;
    for (std::uint64_t fork = 1; fork <= 4; ++fork) {
      Tally tally;
      tally.of_own_queue = kIterations / 2;
      for (int member = 0; member < 2; ++member) {
        entered = enter(*site, member, {fork, 0}, good(text), kIterations);
        site->leave(member, {1000, 1000, 1030}, tally);
      }
    }
    CHECK(entered.parameters.chunk == (std::uint64_t{1} << 52) + 1);
  }
}

TEST_CASE("a loop that runs again without a barrier in between uses the defaults", "[loops]") {
  const Owned<Site> site = make_site(2);
  const Schedule schedule = good("hybrid");
  for (std::uint64_t fork = 1; fork <= 4; ++fork) {
    for (int member = 0; member < 2; ++member) {
      CHECK(enter(*site, member, {fork, 0}, schedule, 10000).is_measured);
      leave(*site, member, fork * 1000000, 5000);
      const Entered again = enter(*site, member, {fork, 0}, schedule, 10000);
      CHECK_FALSE(again.is_measured);
      CHECK(again.parameters.static_parts == 32);
      CHECK(again.parameters.chunk == 156);
      site->leave(member, Tally{});
      CHECK(enter(*site, member, {fork, 1}, schedule, 10000).is_measured);
      leave(*site, member, fork * 1000000, 5000);
    }
  }
}

class Region {
 public:
  Region(Site& site, std::uint64_t fork, const Schedule& schedule, Ticks take, Random& random)
      : site_(site), fork_(fork), schedule_(schedule), take_(take), random_(random) {
    for (std::uint64_t i = 0; i < 30; ++i) {
      is_barrier_.push_back(below(random, 3) == 0);
    }
    seen_.resize(is_barrier_.size());
    walkers_.resize(static_cast<std::size_t>(site.threads()));
  }

  void run() {
    for (std::size_t done = 0; done < walkers_.size();) {
      const std::size_t number = below(random_, walkers_.size());
      if (walkers_[number].at < is_barrier_.size()) {
        step(number);
        done += walkers_[number].at == is_barrier_.size() ? 1 : 0;
      }
    }
  }

  bool agree() const {
    for (const std::vector<Entered>& execution : seen_) {
      for (const Entered& entered : execution) {
        if (!is_same(entered, execution.front())) {
          return false;
        }
      }
    }
    return true;
  }
  int measured() const {
    int count = 0;
    for (const std::vector<Entered>& execution : seen_) {
      count += !execution.empty() && execution.front().is_measured ? 1 : 0;
    }
    return count;
  }

 private:
  struct Walker {
    std::size_t at = 0;
    bool is_inside = false;  // the member is in a loop, or waits at a barrier
    std::uint64_t barriers = 0;
  };

  void step(std::size_t number) {
    Walker& walker = walkers_[number];
    const int member = static_cast<int>(number);
    if (is_barrier_[walker.at]) {
      arrived_ += walker.is_inside ? 0 : 1;
      walker.is_inside = true;
      if (arrived_ == walkers_.size() * (walker.barriers + 1)) {
        ++walker.barriers;
        walker.is_inside = false;
        ++walker.at;
      } else if (arrived_ > walkers_.size() * (walker.barriers + 1)) {
        ++walker.barriers;
        walker.is_inside = false;
        ++walker.at;
      }
      return;
    }
    if (!walker.is_inside) {
      const std::uint64_t iterations = 1000 + 500 * (walker.at % 3);
      seen_[walker.at].push_back(
          enter(site_, member, {fork_, walker.barriers}, schedule_, iterations, take_));
      walker.is_inside = true;
      return;
    }
    const Entered& mine = seen_[walker.at].front();
    if (below(random_, 10) != 0) {  // otherwise the loop is cancelled
      if (mine.is_measured) {
        leave(site_, member, 1000000 + below(random_, 1000), 100 + below(random_, 200));
      } else {
        site_.leave(member, Tally{});
      }
    }
    walker.is_inside = false;
    ++walker.at;
  }

  Site& site_;
  std::uint64_t fork_;
  const Schedule& schedule_;
  Ticks take_;
  Random& random_;
  std::vector<bool> is_barrier_;
  std::vector<std::vector<Entered>> seen_;
  std::vector<Walker> walkers_;
  std::size_t arrived_ = 0;
};

TEST_CASE("all members have the same parameters in each execution", "[loops]") {
  Random random(12);
  int measured = 0;
  constexpr const char* kTexts[] = {"hybrid", "hybrid,weights=measured", "hybrid,f=0.5"};
  for (int run = 0; run < 300; ++run) {
    const int threads = 1 + static_cast<int>(below(random, 6));
    const Owned<Site> site = make_site(threads);
    const Schedule schedule = good(kTexts[run % 3]);
    // In every second run, accesses to the queue are very slow. Then a loop is seldom measured.
    const Ticks take = run % 2 == 0 ? kTake : Ticks{1} << 40;
    for (std::uint64_t fork = 1; fork < 8; ++fork) {
      INFO("run " << run << ", fork " << fork << ", threads " << threads);
      Region region(*site, fork, schedule, take, random);
      region.run();
      REQUIRE(region.agree());
      measured += region.measured();
    }
  }
  CHECK(measured > 5000);
}

TEST_CASE("the report counts all executions", "[loops]") {
  const Owned<Site> site = make_site(2);
  const Schedule schedule = good("hybrid,f=0.5,chunk=4");
  for (std::uint64_t fork = 1; fork <= 3; ++fork) {
    for (int member = 0; member < 2; ++member) {
      enter(*site, member, {fork, 0}, schedule, 200);
    }
    Tally tally;
    tally.of_block = 50;
    tally.of_own_queue = 40;
    tally.stolen[1] = 20;
    site->leave(0, {1000, 1500, 2200}, tally);
    tally.of_own_queue = 20;
    site->leave(1, {1100, 1600, 1900}, tally);
  }
  const Site::Summary summary = site->summary();
  CHECK(summary.executions == 3);
  CHECK(summary.iterations == 3 * 200);
  CHECK(summary.tally.of_block == 300);
  CHECK(summary.tally.of_own_queue == 180);
  CHECK(summary.tally.stolen[1] == 120);
  CHECK(summary.static_parts == 32);
  CHECK(summary.chunk == 4);
  CHECK(summary.measured == 3);
  CHECK(summary.imbalance == 1200 * 2 * 65536 / 2000);  // 1200 and 800
  CHECK(summary.wait == 3 * 150);                       // member 1 waits 300
  CHECK(summary.time == 3 * 1200);                      // from 1000 to 2200
  CHECK_FALSE(summary.has_shared_queue);
}

TEST_CASE("the report shows the chunk size that was used", "[loops]") {
  const Owned<Site> site = make_site(2);
  enter(*site, 0, {1, 0}, good("hybrid,f=0.5,chunk=8"), 1000);
  const auto chunk_with = [&](std::uint64_t grain) {
    site->note_division(grain, false);
    return site->summary().chunk;
  };
  CHECK(site->summary().chunk == 8);
  CHECK(chunk_with(50) == 50);
  CHECK(chunk_with(5) == 10);
  CHECK(chunk_with(8) == 8);
  CHECK(chunk_with(1) == 8);
}

TEST_CASE("a loop that never ended has a summary, too", "[loops]") {
  const Owned<Site> site = make_site(3);
  CHECK(site->summary().executions == 0);
  enter(*site, 0, {1, 0}, good("hybrid"), 10);
  CHECK(site->summary().executions == 1);
  CHECK(site->summary().measured == 0);
}

TEST_CASE("a loop has one site in each team", "[loops]") {
  const auto sites = make_sites();
  Site* site = sites->find(100, 1, 4);
  REQUIRE(site != nullptr);
  CHECK(site->address() == 100);
  CHECK(site->threads() == 4);
  CHECK(sites->find(100, 1, 4) == site);
  CHECK(sites->find(100, 2, 4) != site);
  CHECK(sites->find(101, 1, 4) != site);
  CHECK(sites->find(100, 1, 5)->threads() == 5);
  int count = 0;
  sites->each([&](const Site&) { ++count; });
  CHECK(count == 4);
  CHECK_FALSE(sites->was_full());
}

TEST_CASE("a full table keeps its sites and gives no site for other loops", "[loops]") {
  const auto sites = make_sites();
  std::vector<Site*> found;
  for (std::uintptr_t address = 1; address <= 2 * Sites::kSize; ++address) {
    found.push_back(sites->find(address, 7, 1));
    if (address <= Sites::kSize / 2) {
      REQUIRE(found.back() != nullptr);
      REQUIRE_FALSE(sites->was_full());
    }
  }
  CHECK(sites->was_full());
  CHECK(std::count(found.begin(), found.end(), nullptr) >= Sites::kSize);
  int wrong = 0;
  for (int i = 0; i < 2; ++i) {
    for (std::uintptr_t address = 1; address <= 2 * Sites::kSize; ++address) {
      wrong += sites->find(address, 7, 1) != found[address - 1] ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a search for an unknown loop ends before the whole table is searched", "[loops]") {
  const auto sites = make_sites();
  int count = 0;
  while (sites->find(static_cast<std::uintptr_t>(count) + 1, 7, 1) != nullptr) {
    ++count;
  }
  CHECK(count < Sites::kSize);  // the table has room, but the site is not known
  CHECK(count > Sites::kSize / 2);
}

}  // namespace
}  // namespace nestbind::loops::test
