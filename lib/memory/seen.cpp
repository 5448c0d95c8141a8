// SPDX-License-Identifier: BSD-3-Clause
#include "memory/seen.hpp"

#include <algorithm>
#include <numeric>

namespace nestbind::memory {
namespace {

// Places of the units of a range that were seen, in order of addresses.
std::vector<std::size_t> places_in(const Samples& samples, const Range& range) {
  std::vector<std::size_t> places;
  const std::size_t unit = samples.sizes().unit();
  if (range.bytes() / unit < samples.size()) {
    for (std::uintptr_t at = range.begin / unit * unit; at < range.end; at += unit) {
      if (const std::size_t place = samples.place_of(at); place < samples.size()) {
        places.push_back(place);
      }
    }
    return places;
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples.address(i) + unit > range.begin && samples.address(i) < range.end) {
      places.push_back(i);
    }
  }
  std::sort(places.begin(), places.end(), [&](std::size_t one, std::size_t other) {
    return samples.address(one) < samples.address(other);
  });
  return places;
}

// To whole samples, halves up.
std::uint32_t whole(std::uint32_t count) { return (count + Samples::kOne / 2) / Samples::kOne; }

// What was seen of a unit while its parts are put together.
class Gathered {
 public:
  explicit Gathered(int nodes) : counts_(static_cast<std::size_t>(nodes)) {}

  void begin(const Unit& unit) {
    unit_ = unit;
    std::fill(counts_.begin(), counts_.end(), 0);
    writes_ = 0;
  }
  void add(std::span<const std::uint16_t> counts, std::uint16_t writes) {
    std::transform(counts.begin(), counts.end(), counts_.begin(), counts_.begin(), std::plus<>());
    writes_ += writes;
  }
  void end(Seen& seen, const Range& range, std::uint32_t enough) {
    const std::uint32_t all = std::accumulate(counts_.begin(), counts_.end(), 0U);
    if (unit_.bytes == 0 || all < enough * Samples::kOne) {
      return;
    }
    std::transform(counts_.begin(), counts_.end(), counts_.begin(), whole);
    seen.add(cut(unit_, range), -1, counts_, whole(writes_));
  }
  const Unit& unit() const { return unit_; }

 private:
  Unit unit_;
  std::vector<std::uint32_t> counts_;
  std::uint32_t writes_ = 0;
};

}  // namespace

void Seen::add(const Unit& unit, int home, std::span<const std::uint32_t> samples,
               std::uint32_t writes) {
  units_.push_back(unit);
  homes_.push_back(home);
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  writes_.push_back(writes);
}

std::span<const std::uint32_t> Seen::samples(std::size_t i) const {
  const auto nodes = static_cast<std::size_t>(nodes_);
  return {samples_.data() + i * nodes, nodes};
}

std::uint64_t Seen::all(std::size_t i) const {
  const std::span<const std::uint32_t> of = samples(i);
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

Seen seen_in(const Samples& samples, const Range& range, std::span<const Range> huge,
             std::uint32_t enough) {
  Seen seen(samples.nodes());
  Gathered gathered(samples.nodes());
  for (const std::size_t place : places_in(samples, range)) {
    const Unit unit = unit_at(samples.address(place), huge, samples.sizes());
    if (unit != gathered.unit()) {
      gathered.end(seen, range, enough);
      gathered.begin(unit);
    }
    gathered.add(samples.counts(place), samples.writes(place));
  }
  gathered.end(seen, range, enough);
  return seen;
}

Traffic traffic_of(const Seen& seen) {
  Traffic traffic;
  traffic.to.resize(static_cast<std::size_t>(seen.nodes()));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.home(i) >= 0) {
      const auto home = static_cast<std::size_t>(seen.home(i));
      traffic.to[home] += seen.all(i);
      traffic.local += seen.samples(i)[home];
    }
  }
  return traffic;
}

}  // namespace nestbind::memory
