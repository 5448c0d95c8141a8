// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/seating.hpp"

#include <algorithm>
#include <map>

namespace nestbind::show::picture {

namespace {

// By processor, as it is drawn.
struct Seats {
  std::vector<std::vector<int>> bound;  // threads that may run on processors of its core only
  std::vector<bool> is_reached;
};

void index_cores(Part& part, std::vector<Part*>& core_of) {
  if (part.is_core) {
    std::fill(core_of.begin() + part.begin, core_of.begin() + part.end, &part);
  }
  for (Part& child : part.parts) {
    index_cores(child, core_of);
  }
}

// The smallest box around all of these, ascending.
Part& box_around(Part& machine, const std::vector<int>& processors) {
  Part* box = &machine;
  for (bool is_smaller = true; is_smaller;) {
    const auto child = std::ranges::find_if(box->parts, [&](const Part& part) {
      return !part.is_core && part.begin <= processors.front() && processors.back() < part.end;
    });
    is_smaller = child != box->parts.end();
    box = is_smaller ? &*child : box;
  }
  return *box;
}

void put_roamer(Part& box, const std::vector<int>& processors, int number,
                const std::vector<Occupant>& occupants) {
  const auto same = std::ranges::find_if(box.roamers, [&](const Roamers& roamers) {
    return roamers.processors == processors &&
           occupants[roamers.occupants[0]].mark == occupants[number].mark;
  });
  if (same != box.roamers.end()) {
    same->occupants.push_back(number);
  } else {
    box.roamers.push_back({processors, {number}});
  }
}

void make_stretches(Part& part, const Seats& seats) {
  for (Part& child : part.parts) {
    make_stretches(child, seats);
  }
  for (int p = part.begin; part.is_core && p < part.end; ++p) {
    if (p > part.begin && part.stretches.back().occupants == seats.bound[p] &&
        part.stretches.back().is_reached == seats.is_reached[p]) {
      ++part.stretches.back().processors;
    } else {
      part.stretches.push_back({1, seats.bound[p], seats.is_reached[p]});
    }
  }
}

// Of a thread's processors, those that are drawn.
std::vector<int> drawn_of(const Occupant& occupant, const std::map<int, int>& index_of) {
  std::vector<int> processors;
  for (const int cpu : occupant.cpus) {
    if (const auto found = index_of.find(cpu); found != index_of.end()) {
      processors.push_back(found->second);
    }
  }
  std::ranges::sort(processors);
  const auto twice = std::ranges::unique(processors);
  processors.erase(twice.begin(), twice.end());
  return processors;
}

}  // namespace

std::vector<int> seat(Drawn& drawn, const std::vector<Occupant>& occupants) {
  std::map<int, int> index_of;
  for (std::size_t p = 0; p < drawn.cpus.size(); ++p) {
    index_of[drawn.cpus[p]] = static_cast<int>(p);
  }
  std::vector<Part*> core_of(drawn.cpus.size(), nullptr);
  index_cores(drawn.machine, core_of);
  Seats seats{std::vector<std::vector<int>>(drawn.cpus.size()),
              std::vector<bool>(drawn.cpus.size(), false)};
  std::vector<int> elsewhere;
  for (int number = 0; number < static_cast<int>(occupants.size()); ++number) {
    const std::vector<int> processors = drawn_of(occupants[number], index_of);
    if (processors.empty()) {
      elsewhere.push_back(number);
    } else if (core_of[processors.front()] == core_of[processors.back()]) {
      for (const int p : processors) {
        seats.bound[p].push_back(number);
      }
    } else {
      Part& box = box_around(drawn.machine, processors);
      put_roamer(box, processors, number, occupants);
      for (const int p : processors) {
        // Who may run everywhere takes nobody's place.
        seats.is_reached[p] = seats.is_reached[p] || processors.size() < drawn.cpus.size();
      }
    }
  }
  make_stretches(drawn.machine, seats);
  return elsewhere;
}

Count count_cores(const Part& part) {
  if (part.is_core) {
    const bool is_taken = std::ranges::any_of(
        part.stretches, [](const Stretch& stretch) { return !stretch.occupants.empty(); });
    const bool is_reached = std::ranges::any_of(part.stretches, &Stretch::is_reached);
    return {1, !is_taken && !is_reached ? 1 : 0, !is_taken && is_reached ? 1 : 0};
  }
  Count count;
  for (const Part& child : part.parts) {
    const Count of_child = count_cores(child);
    count.cores += of_child.cores;
    count.free += of_child.free;
    count.reached += of_child.reached;
  }
  return count;
}

}  // namespace nestbind::show::picture
