// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/story.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace nestbind::memory {

namespace {

// A number for each thread that was seen, 0 for the initial one.
int number_of(const Gathering& gathering, std::uint32_t thread) {
  const auto at = std::ranges::lower_bound(gathering.threads(), thread);
  const auto number = static_cast<int>(at - gathering.threads().begin());
  const bool is_initial = thread == static_cast<std::uint32_t>(getpid());
  const bool has_initial =
      std::ranges::binary_search(gathering.threads(), static_cast<std::uint32_t>(getpid()));
  return is_initial ? 0 : number + (has_initial ? 0 : 1);
}

void take_first_touches(Gathering& gathering, const support::MappedVector<TouchedUnit>& units,
                        Story& story) {
  std::map<std::uint32_t, std::uint64_t> threads;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>> functions;
  std::uint64_t all = 0;
  for (const TouchedUnit& unit : units) {
    if (unit.first_pages > 0) {
      ++threads[unit.first_thread];
      auto& [count, code] = functions[gathering.function_of(unit.first_code)];
      code = unit.first_code;
      ++count;
      ++all;
    }
  }
  if (all == 0) {
    return;
  }
  const auto most =
      std::ranges::max_element(threads, {}, [](const auto& entry) { return entry.second; });
  story.facts.first_touch.thread = number_of(gathering, most->first);
  story.facts.first_touch.part = 100 * static_cast<double>(most->second) / static_cast<double>(all);
  const auto where =
      std::ranges::max_element(functions, {}, [](const auto& entry) { return entry.second.first; });
  story.code = gathering.touches().codes()[where->second.second];
}

// A hint fault weighs a page, or a huge page, and not how often it was used: each unit has as many
// samples as it has pages, divided as its faults were.
void add_seen(const Unit& place, int home, const std::vector<std::uint64_t>& uses,
              std::uint64_t pages, Seen& seen) {
  const std::uint64_t all = std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
  std::vector<std::uint32_t> samples;
  samples.reserve(uses.size());
  for (const std::uint64_t use : uses) {
    samples.push_back(static_cast<std::uint32_t>((use * Samples::kEnough * pages + all / 2) / all));
  }
  seen.add(place, home, samples, 0);
}

std::vector<std::uint64_t> uses_of(const TouchedUnit& unit, int node_count) {
  return {unit.use, unit.use + node_count};
}

// Of one block: by units, where most of them have enough samples, or as a whole: a huge page has
// its faults anywhere.
void add_block(std::span<const TouchedUnit> units, int node_count, Seen& seen) {
  const auto count = [](const std::vector<std::uint64_t>& uses) {
    return std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
  };
  std::vector<std::uint64_t> uses(static_cast<std::size_t>(node_count));
  std::uint64_t pages = 0;
  std::size_t enough = 0;
  int home = -1;
  int sampled_home = -1;  // which counts more
  for (const TouchedUnit& unit : units) {
    const auto own = uses_of(unit, node_count);
    std::transform(own.begin(), own.end(), uses.begin(), uses.begin(), std::plus<>());
    pages += static_cast<std::uint64_t>(std::popcount(unit.present));
    enough += count(own) >= Samples::kEnough ? 1U : 0U;
    home = home < 0 ? unit.home : home;
    sampled_home = sampled_home < 0 && unit.is_own ? unit.home : sampled_home;
  }
  home = sampled_home < 0 ? home : sampled_home;
  if (2 * enough < units.size() && count(uses) >= Samples::kEnough && may_be_one_page(units)) {
    const std::uint64_t begin = units.front().number * kUnitBytes;
    const std::uint64_t end = (units.back().number + 1) * kUnitBytes;
    add_seen({begin, end - begin, true}, home, uses, pages, seen);
    return;
  }
  for (const TouchedUnit& unit : units) {
    const auto own = uses_of(unit, node_count);
    if (count(own) >= Samples::kEnough) {
      add_seen({unit.number * kUnitBytes, kUnitBytes, false}, unit.home, own,
               static_cast<std::uint64_t>(std::popcount(unit.present)), seen);
    }
  }
}

void add_use(const support::MappedVector<TouchedUnit>& units, int node_count, Story& story) {
  constexpr std::uint64_t kUnits = kBlockBytes / kUnitBytes;
  for (std::size_t first = 0; first < units.size();) {
    std::size_t end = first;
    for (; end < units.size() && units[end].number / kUnits == units[first].number / kUnits;
         ++end) {
      const auto uses = uses_of(units[end], node_count);
      story.facts.samples += std::accumulate(uses.begin(), uses.end(), std::uint64_t{0});
    }
    add_block({&units[first], end - first}, node_count, story.facts.seen);
    first = end;
  }
}

Story story_of(Gathering& gathering, const Known& region) {
  Story story;
  story.region = &region;
  story.facts.range = region.range;
  const int node_count = gathering.node_count();
  auto units = units_inside(gathering.units_of(region), region.range.begin, region.range.end);
  settle_by_most(units);
  story.facts.seen = Seen(node_count);
  std::vector<std::uint64_t> first_on(static_cast<std::size_t>(node_count));
  for (const TouchedUnit& unit : units) {
    const auto pages = static_cast<std::uint64_t>(std::popcount(unit.present));
    if (unit.home >= 0) {
      first_on[static_cast<std::size_t>(unit.home)] += pages * kPageBytes;
      story.touched_bytes += pages * kPageBytes;
    }
  }
  add_use(units, node_count, story);
  story.there = std::max(region.there, story.touched_bytes);
  story.now_on.assign(region.bytes_on, region.bytes_on + node_count);
  // Where they were first is what the program did; the kernel's balancing may have moved them
  // since.
  const bool is_seen = 2 * story.touched_bytes >= region.there;
  story.facts.bytes_on = is_seen && story.touched_bytes > 0 ? first_on : story.now_on;
  take_first_touches(gathering, units, story);
  story.advice = advice_on(story.facts, PageSizes{});
  return story;
}

}  // namespace

std::vector<Story> stories_of(Gathering& gathering, Gathering::FindCode find_code) {
  std::vector<Story> stories;
  gathering.visit([&](const Known& region) {
    if (is_large(gathering, region)) {
      stories.push_back(story_of(gathering, region));
    }
  });
  for (Story& story : stories) {
    if (story.code != 0) {
      find_code(story.code, story.place);
    }
  }
  std::ranges::sort(stories, [](const Story& a, const Story& b) {
    const auto worst_first = [](const Story& story) {
      return std::tuple(-story.advice.damage, ~story.there, story.region->range.begin);
    };
    return worst_first(a) < worst_first(b);
  });
  return stories;
}

}  // namespace nestbind::memory
