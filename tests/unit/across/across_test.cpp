// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "cluster.hpp"

using namespace nestbind::balance::across;
using nestbind::simulation::Cluster;

namespace {

// Objects 0, 1, ... with loads, and the rank of each.
struct World {
  std::map<Id, int> rank;
  std::map<Id, double> load;
  double bytes = 1000;

  void give(Cluster& cluster, double noise = 0, std::mt19937_64* random = nullptr) const {
    for (const auto& [id, at] : rank) {
      const double factor =
          random == nullptr
              ? 1
              : 1 + noise * (2 * static_cast<double>((*random)() >> 11) * 0x1p-53 - 1);
      cluster[at].load(id, load.at(id) * factor, bytes);
    }
  }
  // Both ranks of a move must know it, and in one order. Returns the number of moves.
  int move(Cluster& cluster) {
    int moved = 0;
    for (int rank_now = 0; rank_now < cluster.ranks(); ++rank_now) {
      Id last = -1;
      for (const Move& move : cluster[rank_now].moves()) {
        REQUIRE(move.id > last);
        last = move.id;
        REQUIRE((move.from == rank_now || move.to == rank_now));
        const int other = move.from == rank_now ? move.to : move.from;
        int there = 0;
        for (const Move& of : cluster[other].moves()) {
          there += of.id == move.id && of.from == move.from && of.to == move.to ? 1 : 0;
        }
        REQUIRE(there == 1);
        if (move.to == rank_now && move.from != rank_now) {
          REQUIRE(rank.at(move.id) == move.from);
          ++moved;
        }
      }
    }
    for (int rank_now = 0; rank_now < cluster.ranks(); ++rank_now) {
      for (const Move& move : cluster[rank_now].moves()) {
        rank[move.id] = move.to;
      }
    }
    return moved;
  }
  double imbalance(const Cluster& cluster) const {
    std::map<int, double> of;
    double all = 0;
    for (const auto& [id, at] : rank) {
      of[at] += load.at(id);
      all += load.at(id);
    }
    double most = 0;
    for (const auto& [at, sum] : of) {
      most = std::max(most, sum);
    }
    return most / (all / cluster.ranks());
  }
};

World world(int objects, int ranks) {
  World made;
  for (Id id = 0; id < objects; ++id) {
    made.rank[id] = static_cast<int>(id * ranks / objects);
    made.load[id] = 0.01;
  }
  return made;
}

int step(Cluster& cluster, World& of, double remaining, double now, double noise = 0,
         std::mt19937_64* random = nullptr) {
  of.give(cluster, noise, random);
  cluster.balance(remaining, now);
  return of.move(cluster);
}

}  // namespace

TEST_CASE("a hot spot is spread over nodes and ranks") {
  Cluster cluster(4, 4);
  World of = world(16 * 16, 16);
  for (Id id = 0; id < 32; ++id) {
    of.load[id] = 0.05;
  }
  REQUIRE(of.imbalance(cluster) > 3);
  int moved = 0;
  for (int at = 0; at < 8; ++at) {
    moved += step(cluster, of, 100, at);
  }
  CHECK(of.imbalance(cluster) < 1.2);
  CHECK(moved < 100);
  const long exchanges = cluster.exchanges();
  for (int at = 9; at < 200; ++at) {
    CHECK(step(cluster, of, 100, at) == 0);
  }
  CHECK(cluster.exchanges() < exchanges + 100);  // nearly all calls have only a reduction
}

TEST_CASE("noise of 5 % moves nothing, and a hot spot that moves settles within 10 steps") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::mt19937_64 random(seed);
    Cluster cluster(2, 4);
    World of = world(8 * 16, 8);
    for (int at = 0; at < 60; ++at) {
      REQUIRE(step(cluster, of, 1000, at, 0.05, &random) == 0);
    }
    for (int shift = 0; shift < 6; ++shift) {
      for (auto& [id, load] : of.load) {
        load = id / 16 == (shift * 3) % 8 ? 0.05 : 0.01;
      }
      for (int at = 0; at < 10; ++at) {
        step(cluster, of, 1000, 200 + at, 0.05, &random);
      }
      CHECK(of.imbalance(cluster) < 1.1);
      int late = 0;
      for (int at = 0; at < 40; ++at) {
        late += step(cluster, of, 1000, 300 + at, 0.05, &random);
      }
      CHECK(late == 0);
    }
  }
}

TEST_CASE("loads that come and go stop moving objects") {
  for (const int period : {1, 2, 3, 4}) {
    Cluster cluster(2, 4);
    World of = world(8 * 16, 8);
    int late = 0;
    for (int at = 0; at < 400; ++at) {
      for (auto& [id, load] : of.load) {
        load = (id / 64 == 0) == (at / period % 2 == 0) ? 0.04 : 0.01;
      }
      const int moved = step(cluster, of, 1000, at);
      late += at < 200 ? 0 : moved;
    }
    CHECK(late == 0);
  }
}

TEST_CASE("nothing moves for a few steps, or at a high price") {
  Cluster cluster(2, 2);
  World of = world(64, 4);
  for (Id id = 0; id < 16; ++id) {
    of.load[id] = 0.02;
  }
  of.bytes = 1e9;  // 1 s at first
  for (int at = 0; at < 20; ++at) {
    REQUIRE(step(cluster, of, 3, at) == 0);
  }
  int moved = 0;
  for (int at = 0; at < 40; ++at) {
    moved += step(cluster, of, 1000, 20 + at);
  }
  CHECK(moved > 0);
  CHECK(of.imbalance(cluster) < 1.1);
}

TEST_CASE("faults end a call in all ranks, and the next call works") {
  Cluster cluster(2, 2);
  World of = world(16, 4);
  const auto errors = [&](Wrong expected, int rank, Id id) {
    for (int at = 0; at < 4; ++at) {
      CHECK(cluster[at].error() == expected);
      CHECK(cluster[at].moves().size() == 0);
      const RankFault fault = cluster[at].take_fault();
      if (at == rank) {
        CHECK(fault.what == expected);
        CHECK(fault.id == id);
      }
    }
  };
  of.give(cluster);
  CHECK_FALSE(cluster[2].load(9, -1, 0));
  cluster.balance(100);
  errors(Wrong::kLoad, 2, 9);
  of.give(cluster);
  CHECK_FALSE(cluster[1].load(5, std::nan(""), 0));
  cluster.balance(100);
  errors(Wrong::kLoad, 1, 5);
  for (Id id = 0; id < 4; ++id) {
    of.load[id] = 1;
  }
  const auto until_search = [&](const auto& wrong) {
    for (int at = 0; at < 30; ++at) {
      of.give(cluster);
      wrong();
      cluster.balance(1e6);
      if (cluster[0].error() != Wrong::kNothing) {
        break;
      }
      of.move(cluster);
    }
  };
  until_search([&] { cluster[3].load(0, 0.01, 1); });
  CHECK(cluster[0].error() == Wrong::kTwice);
  for (int at = 0; at < 4; ++at) {
    cluster[at].take_fault();
  }
  until_search([&] { cluster[0].messages(0, 99, 1); });
  errors(Wrong::kUnknown, 0, 99);
  int moved = 0;
  for (int at = 0; at < 30; ++at) {
    moved += step(cluster, of, 1e6, at);
  }
  CHECK(moved > 0);
}

TEST_CASE("objects stay near the nodes with which they exchange messages") {
  Cluster cluster(4, 1);
  World of;
  // Node 0 has 20 objects too many. Those with odd numbers exchange messages with node 3.
  for (Id id = 0; id < 40; ++id) {
    of.rank[id] = 0;
    of.load[id] = 0.01;
  }
  for (Id id = 40; id < 100; ++id) {
    of.rank[id] = static_cast<int>(1 + (id - 40) / 20);
    of.load[id] = 0.01;
  }
  for (int at = 0; at < 4; ++at) {
    of.give(cluster);
    for (Id id = 1; id < 40; id += 2) {
      cluster[of.rank[id]].messages(id, 80 + id % 20, 100);
      cluster[of.rank[80 + id % 20]].messages(80 + id % 20, id, 100);
    }
    cluster.balance(1000, at);
    of.move(cluster);
  }
  int there = 0;
  for (Id id = 0; id < 40; ++id) {
    if (of.rank[id] == 3) {
      CHECK(id % 2 == 1);
      ++there;
    }
  }
  CHECK(there >= 4);
}

TEST_CASE("capacity, slots and NUMA nodes count") {
  // Rank 0 has three times the threads of rank 1.
  Cluster uneven(2, 1, [](Setup& setup) { setup.threads = setup.rank == 0 ? 3 : 1; });
  World of = world(40, 2);
  for (int at = 0; at < 6; ++at) {
    step(uneven, of, 1000, at);
  }
  int on_first = 0;
  for (const auto& [id, rank] : of.rank) {
    on_first += rank == 0 ? 1 : 0;
  }
  CHECK(on_first >= 29);
  CHECK(on_first <= 31);

  Cluster slots(1, 2, [](Setup& setup) { setup.slots = 4; });
  World eight = world(16, 2);
  eight.load[0] = eight.load[4] = 0.03;  // both on slot 0 of rank 0
  bool is_seen = false;
  for (int at = 0; at < 8; ++at) {
    eight.give(slots);
    slots.balance(1000, at);
    for (int rank = 0; rank < 2; ++rank) {
      for (const Move& move : slots[rank].moves()) {
        is_seen = is_seen || move.id == 0 || move.id == 4;
        CHECK(move.slot < 4);
      }
    }
    eight.move(slots);
  }
  CHECK(is_seen);
}

TEST_CASE("an exchange that fails ends the call") {
  Cluster cluster(1, 1, [](Setup& setup) {
    setup.reduce = [](void*, double*, int, double*, int) { return 1; };
  });
  CHECK(cluster[0].load(0, 1, 1));
  cluster.balance(10);
  CHECK(cluster[0].error() == Wrong::kExchange);
  CHECK(cluster[0].take_fault().what == Wrong::kExchange);
  CHECK(cluster[0].moves().size() == 0);
}

TEST_CASE("hops must be amounts") {
  for (const double wrong : {std::nan(""), -1.0, HUGE_VAL, 1e16}) {
    const auto hops = [](void* comm, int from, int to) {
      return from == 0 && to == 2 ? *static_cast<const double*>(comm) : 1;
    };
    const int node[] = {0, 1, 2};
    double number = wrong;
    Setup setup{};
    setup.ranks = 3;
    setup.node = node;
    setup.comm = &number;
    setup.hops = hops;
    RankFault fault;
    CHECK(Balancer::create(setup, fault) == nullptr);
    CHECK(fault.what == Wrong::kHops);
    CHECK(fault.id == 0);
    CHECK(fault.rank == 2);
    number = 0;
    Balancer* const good = Balancer::create(setup, fault);
    CHECK(good != nullptr);
    Balancer::destroy(good);
  }
}

namespace {
thread_local int g_until = 0;  // how many more allocations of this thread work; 0: all
}

extern "C" void* __real_malloc(std::size_t bytes);
extern "C" void* __wrap_malloc(std::size_t bytes);
extern "C" void* __wrap_malloc(std::size_t bytes) {
  return g_until > 0 && --g_until == 0 ? nullptr : __real_malloc(bytes);
}

TEST_CASE("a rank without memory ends the call in all ranks, and the next call works") {
  bool has_all = false;
  for (int until = 1; !has_all; ++until) {
    has_all = true;
    for (const int poor : {0, 1, 2}) {
      Cluster cluster(2, 2, [](Setup& setup) { setup.slots = 2; });
      World of = world(64, 4);
      for (Id id = 0; id < 16; ++id) {
        of.load[id] = 0.05;
      }
      const auto give = [&] {
        of.give(cluster);
        for (const auto& [id, rank] : of.rank) {
          cluster[rank].messages(id, (id + 1) % 64, 1);
        }
      };
      for (int at = 0; at < 2; ++at) {
        give();
        cluster.balance(1000, at);
      }
      give();
      cluster.before_call([&](int rank) { g_until = rank == poor ? until : 0; });
      cluster.balance(1000, 2);
      cluster.before_call({});
      const Wrong error = cluster[0].error();
      for (int rank = 0; rank < 4; ++rank) {
        CHECK(cluster[rank].error() == error);
        CHECK(cluster[rank].take_fault().what == (rank == poor ? error : Wrong::kNothing));
        CHECK((error == Wrong::kNothing || cluster[rank].moves().size() == 0));
      }
      has_all = has_all && error == Wrong::kNothing;
      CHECK((error == Wrong::kNothing || error == Wrong::kMemory));
      of.move(cluster);
      for (int at = 3; at < 8; ++at) {
        step(cluster, of, 1000, at);
      }
      CHECK(of.imbalance(cluster) < 1.2);
    }
  }
}
