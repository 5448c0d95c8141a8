// SPDX-License-Identifier: BSD-3-Clause
// Short forms for tests of loops.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "loops/loop_team.hpp"
#include "loops/schedule.hpp"

namespace nestbind::loops::test {

inline Schedule good(std::string_view text) {
  Schedule schedule;
  Fault fault;
  const bool is_good = parse(text, schedule, fault);
  INFO("text: " << text << ", position " << fault.position << ", expected " << fault.expected);
  REQUIRE(is_good);
  return schedule;
}

inline std::string printed(const Schedule& schedule) {
  char buffer[kMaxText];
  const std::size_t length = print(schedule, buffer, sizeof buffer);
  REQUIRE(length < sizeof buffer);
  return {buffer, length};
}

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename Object>
using Owned = std::unique_ptr<Object, FreeMemory>;

inline void* zeroed(std::size_t bytes) {
  const std::size_t size = (bytes + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, size);
  std::memset(memory, 0, size);
  return memory;
}

inline Owned<Team> make_team(int threads, std::uint64_t identity = 1) {
  return Owned<Team>(Team::make(zeroed(Team::bytes(threads)), threads, identity));
}

inline Owned<Site> make_site(int threads) {
  return Owned<Site>(Site::make(zeroed(Site::bytes(threads)), 1, 1, threads));
}

// The library never frees a table of sites.
struct FreeSites {
  void operator()(Sites* sites) const {
    sites->each([](const Site& site) {
      std::free(site.more_memory());
      std::free(const_cast<Site*>(&site));
    });
    delete sites;
  }
};
inline std::unique_ptr<Sites, FreeSites> make_sites() {
  return std::unique_ptr<Sites, FreeSites>(new Sites);
}

// Two members share an L2, four an L3, eight a node, sixteen a package.
inline std::vector<Place> neighbours(int members) {
  std::vector<Place> places;
  for (int i = 0; i < members; ++i) {
    places.push_back({static_cast<std::uint16_t>(i / 2), static_cast<std::uint16_t>(i / 4),
                      static_cast<std::uint16_t>(i / 8), static_cast<std::uint16_t>(i / 16)});
  }
  return places;
}

// Whether the ranges contain each iteration in [0, iterations) once, and no other.
inline bool covers(std::vector<Range> ranges, std::uint64_t iterations) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::uint64_t at = 0;
  for (const Range& range : ranges) {
    if (range.is_empty() || range.begin != at) {
      return false;
    }
    at = range.end;
  }
  return at == iterations;
}

using Random = std::mt19937_64;
inline std::uint64_t below(Random& random, std::uint64_t bound) { return random() % bound; }

}  // namespace nestbind::loops::test
