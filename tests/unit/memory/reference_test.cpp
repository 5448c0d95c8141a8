// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <catch2/catch.hpp>

#include "chance.hpp"
#include "memory/decide.hpp"

using namespace nestbind::memory;

namespace {

// What both are told: numbers around which the thresholds are.
struct Made {
  reference::Interval interval;
  Counts counts;
};

reference::Page made_page(Chance& chance, std::size_t nodes, bool is_read_only) {
  reference::Page page{std::vector<long>(nodes), 0, static_cast<int>(chance.below(nodes))};
  const bool is_own = chance.one_in(is_read_only ? 10 : 2);
  const std::uint64_t users = is_own ? 1 : chance.between(1, nodes);
  for (std::uint64_t user = 0; user < users; ++user) {
    page.a[chance.below(nodes)] += static_cast<long>(chance.between(1, 3));
  }
  page.writes = chance.one_in(is_read_only ? 20 : 3) ? 1 : 0;
  return page;
}

Made made(Chance& chance) {
  Made result;
  const std::size_t nodes = chance.between(2, 8);
  const std::uint64_t spread = chance.between(1, 1000);
  std::uint64_t all = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    result.counts.traffic.to.push_back(1000 + chance.below(spread) * (node == 0 ? 5 : 1));
    all += result.counts.traffic.to.back();
  }
  result.counts.traffic.local = chance.one_in(5) ? all : all * chance.between(70, 90) / 100;
  const std::uint64_t microseconds = chance.one_in(8) ? all / 49 : all / chance.between(50, 80);
  result.counts.intensity = intensity(all, microseconds);
  result.counts.refills = 1000;
  result.counts.modified = chance.between(0, 70);
  result.counts.memory_total = 1000;
  result.counts.memory_free = chance.between(600, 1000);

  reference::Interval& interval = result.interval;
  interval.to.assign(result.counts.traffic.to.begin(), result.counts.traffic.to.end());
  interval.local = static_cast<long>(result.counts.traffic.local);
  interval.maptu = static_cast<double>(all) / static_cast<double>(microseconds);
  interval.rr = 100.0 - static_cast<double>(result.counts.modified) / 10;
  interval.memory_use = 100.0 - static_cast<double>(result.counts.memory_free) / 10;
  // Now and then as many pages that are only read as replication begins with, about.
  const bool is_read_only = chance.one_in(10);
  const std::size_t pages = is_read_only ? chance.between(500, 1100) : chance.below(40);
  for (std::size_t page = 0; page < pages; ++page) {
    interval.pages.push_back(made_page(chance, nodes, is_read_only));
  }
  return result;
}

// The published form out of lib/memory's parts.
class Published {
 public:
  reference::Outcome decide(const Made& made, Chance& chance) {
    const Enabled on = enabled(made.counts, false);
    const std::vector<unsigned> parts = parts_of(made.counts.traffic.to);
    reference::Outcome outcome{on.replication, on.interleaving, on.migration, {}, 0};
    std::vector<reference::Order> replicas;
    for (std::size_t p = 0; p < made.interval.pages.size(); ++p) {
      const reference::Page& page = made.interval.pages[p];
      const std::vector<std::uint32_t> samples(page.a.begin(), page.a.end());
      const Decision decision =
          fate_of({samples, static_cast<std::uint32_t>(page.writes), page.home}, on);
      int to = page.home;
      if (decision.fate == Fate::kReplicate) {
        replicas.push_back({p, -1});
      } else if (decision.fate == Fate::kInterleave) {
        const auto x = static_cast<unsigned>(chance.below(101));
        to =
            node_drawn(parts, page.home, x, static_cast<unsigned>(chance.below(weights_of(parts))));
      } else if (decision.fate == Fate::kMove) {
        to = decision.user;
      }
      if (to != page.home) {
        outcome.orders.push_back({p, to});
      }
    }
    if (replication_.takes(replicas.size())) {
      outcome.orders.insert(outcome.orders.end(), replicas.begin(), replicas.end());
    }
    outcome.period = sampling_period(outcome.orders.size());
    return outcome;
  }

 private:
  Replication replication_;
};

}  // namespace

TEST_CASE("the published rules, in 10,000 random intervals of 1,000 processes") {
  int enabled_none = 0;
  int enabled_each[3] = {};
  int with_orders = 0;
  int with_replicas = 0;
  int refused = 0;
  for (std::uint64_t process = 0; process < 1000; ++process) {
    reference::Carrefour carrefour;
    Published published;
    Chance chance(process);
    for (int i = 0; i < 10; ++i) {
      const Made interval = made(chance);
      Chance one(process * 10 + static_cast<std::uint64_t>(i));
      Chance other = one;
      const auto expected = carrefour.decide(interval.interval, [&](long end) {
        return static_cast<long>(one.below(static_cast<std::uint64_t>(end)));
      });
      const auto found = published.decide(interval, other);
      INFO("process " << process << ", interval " << i);
      REQUIRE((found == expected));
      enabled_each[0] += expected.replication;
      enabled_each[1] += expected.interleaving;
      enabled_each[2] += expected.migration;
      enabled_none += !expected.replication && !expected.interleaving && !expected.migration;
      with_orders += !expected.orders.empty();
      const bool has_replicas = !expected.orders.empty() && expected.orders.back().node == -1;
      with_replicas += has_replicas;
      refused += expected.replication && interval.interval.pages.size() > 30 && !has_replicas;
    }
  }
  // Nothing of this is rare, so that being equal means something.
  CHECK(enabled_none > 1000);
  for (const int times : enabled_each) {
    CHECK(times > 1000);
  }
  CHECK(with_orders > 4000);
  CHECK(with_replicas > 300);
  CHECK(refused > 200);
}
