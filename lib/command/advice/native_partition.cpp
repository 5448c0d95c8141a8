// SPDX-License-Identifier: BSD-3-Clause
#include "advice/native_partition.hpp"

#include <algorithm>

namespace nestbind::advice {

namespace {

// A place partition as a ring: after the last place comes the place `first`.
class Ring {
 public:
  Ring(int places, const Held& held)
      : places_(places),
        first_(held.first),
        count_(held.first <= held.last ? held.last - held.first + 1
                                       : places - held.first + held.last + 1) {}
  int count() const { return count_; }
  int behind(int place, int steps) const {
    const int at = (place - first_ + places_) % places_;
    return (first_ + (at + steps) % count_) % places_;
  }
  int index_of(int place) const { return (place - first_ + places_) % places_; }

 private:
  int places_;
  int first_;
  int count_;
};

// Returns the number of items in a box: `each`, or one more in `rest` boxes with equal gaps.
int with_gaps(int index, int each, int rest, int boxes) {
  const int gap = rest > 0 ? boxes / rest : 1;
  return each + (index % gap == 0 && index / gap < rest ? 1 : 0);
}

// The team has more threads than places. GCC's runtime puts the rest on the first places again.
// LLVM's runtime puts the rest on places at regular distances.
std::vector<int> crowded(Runtime runtime, const Ring& ring, int place, int threads) {
  std::vector<int> sits;
  const int each = threads / ring.count();
  const int rest = threads % ring.count();
  for (int index = 0; index < ring.count(); ++index) {
    const int count = runtime == Runtime::kGnu ? each : with_gaps(index, each, rest, ring.count());
    sits.insert(sits.end(), count, ring.behind(place, index));
  }
  for (int i = static_cast<int>(sits.size()); i < threads; ++i) {
    sits.push_back(ring.behind(place, i - each * ring.count()));
  }
  return sits;
}

// Divides the partition as GCC's runtime does: from its beginning, larger parts first.
// The primary thread keeps its place. Other threads get the first places of the following parts.
std::vector<Held> spread_by_gnu(const Ring& ring, const Held& primary, int threads) {
  const int size = ring.count() / threads;
  const int larger = ring.count() % threads;
  const auto begin = [&](int part) { return part * size + std::min(part, larger); };
  const int at = ring.index_of(primary.place);
  int own = 0;
  while (own + 1 < threads && begin(own + 1) <= at) {
    ++own;
  }
  std::vector<Held> held;
  for (int i = 0; i < threads; ++i) {
    const int part = (own + i) % threads;
    const int first = ring.behind(primary.first, begin(part));
    const int last = ring.behind(primary.first, begin(part + 1) - 1);
    held.push_back({i == 0 ? primary.place : first, first, last});
  }
  return held;
}

// The first part begins at the primary thread's place. The larger parts are at regular distances.
std::vector<Held> spread_a_part_by_llvm(const Ring& ring, const Held& primary, int threads) {
  std::vector<Held> held;
  int before = 0;
  for (int i = 0; i < threads; ++i) {
    const int size = with_gaps(i, ring.count() / threads, ring.count() % threads, threads);
    const int first = ring.behind(primary.place, before);
    held.push_back({first, first, ring.behind(primary.place, before + size - 1)});
    before += size;
  }
  return held;
}

// LLVM's runtime makes parts of (places + 1) / threads places, and rounds down each beginning.
std::vector<Held> spread_all_by_llvm(int places, const Held& primary, int threads) {
  std::vector<Held> held;
  double current = primary.place;
  const double spacing = static_cast<double>(places + 1) / threads;
  for (int i = 0; i < threads; ++i) {
    int first = static_cast<int>(current);
    int last = static_cast<int>(current + spacing) - 1;
    if (first >= places) {
      first -= places;
      last -= places;
      last -= last == primary.place ? 1 : 0;
    }
    held.push_back({first, first, std::min(last, places - 1)});
    current += spacing;
  }
  return held;
}

std::vector<Held> spread(Runtime runtime, int places, const Ring& ring, const Held& primary,
                         int threads) {
  if (threads > ring.count()) {
    std::vector<Held> held;
    for (const int place : crowded(runtime, ring, primary.place, threads)) {
      held.push_back({place, place, place});
    }
    return held;
  }
  if (runtime == Runtime::kGnu) {
    return spread_by_gnu(ring, primary, threads);
  }
  return ring.count() == places ? spread_all_by_llvm(places, primary, threads)
                                : spread_a_part_by_llvm(ring, primary, threads);
}

}  // namespace

std::vector<Held> members(Runtime runtime, int places, const Held& primary, int threads,
                          Bind bind) {
  const Ring ring(places, primary);
  if (threads == 1) {
    return {primary};  // a team of one does not divide the partition
  }
  if (bind == Bind::kSpread) {
    return spread(runtime, places, ring, primary, threads);
  }
  std::vector<Held> held(threads, primary);
  if (bind == Bind::kClose && threads > ring.count()) {
    const std::vector<int> sits = crowded(runtime, ring, primary.place, threads);
    for (int i = 0; i < threads; ++i) {
      held[i].place = sits[i];
    }
  } else if (bind == Bind::kClose) {
    for (int i = 0; i < threads; ++i) {
      held[i].place = ring.behind(primary.place, i);
    }
  }
  return held;
}

std::vector<int> places_of(Runtime runtime, int places, const std::vector<int>& sizes,
                           const std::vector<Bind>& binds) {
  std::vector<Held> primaries = {{0, 0, places - 1}};
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    std::vector<Held> next;
    for (const Held& primary : primaries) {
      const Bind bind = binds[std::min(level, binds.size() - 1)];
      const auto team = members(runtime, places, primary, sizes[level], bind);
      next.insert(next.end(), team.begin(), team.end());
    }
    primaries = std::move(next);
  }
  std::vector<int> found;
  found.reserve(primaries.size());
  for (const Held& held : primaries) {
    found.push_back(held.place);
  }
  return found;
}

}  // namespace nestbind::advice
