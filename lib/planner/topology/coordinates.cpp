// SPDX-License-Identifier: BSD-3-Clause
#include "topology/coordinates.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nestbind::topology {
namespace {

using machine::Kind;
using machine::Machine;
using machine::Partition;
using machine::Slot;

const Partition& partition_of(const Machine& machine, Kind kind) {
  return machine.kinds[static_cast<int>(kind)];
}

bool has_number(const Machine& machine, int Slot::* number) {
  return std::ranges::any_of(machine.slots, [&](const Slot& slot) { return slot.*number >= 0; });
}

// If the machine lacks a kind, Machine::kinds has objects of another kind.
bool is_there(const Machine& machine, Kind kind) {
  switch (kind) {
    case Kind::kBoard:  // a board has several packages
      return partition_of(machine, Kind::kBoard).object_of !=
             partition_of(machine, Kind::kPackage).object_of;
    case Kind::kPackage:
      return has_number(machine, &Slot::package);
    case Kind::kNuma:
      return has_number(machine, &Slot::numa);
    case Kind::kL3:
      return has_number(machine, &Slot::l3);
    case Kind::kCore:
      return has_number(machine, &Slot::core);
    default:
      return true;
  }
}

// Returns the kinds, the kind with the fewest objects first. Kinds with equal numbers of objects
// are in nominal order.
std::vector<Kind> kinds_of(const Machine& machine) {
  std::vector<Kind> kinds;
  for (const Kind kind :
       {Kind::kBoard, Kind::kPackage, Kind::kNuma, Kind::kL3, Kind::kCore, Kind::kPu}) {
    if (is_there(machine, kind)) {
      kinds.push_back(kind);
    }
  }
  std::ranges::sort(kinds, std::less<>(), [&](Kind kind) {
    return std::pair(partition_of(machine, kind).slots_in.size(), -static_cast<int>(kind));
  });
  return kinds;
}

// Each cell is a set of slots. divide() cuts the cells at the borders of objects.
class Cells {
 public:
  explicit Cells(std::size_t slots) : cell_of_(slots, 0) {}

  // Returns a coordinate of each slot. The objects in each old cell are numbered from 0 on.
  std::vector<int> divide(const Partition& by) {
    std::map<std::pair<int, int>, std::pair<int, int>> parts;  // number in the cell, new cell
    std::vector<int> parts_in(cell_of_.size(), 0);
    std::vector<int> numbers;
    for (std::size_t slot = 0; slot < cell_of_.size(); ++slot) {
      const std::pair key(cell_of_[slot], by.object_of[slot]);
      auto part = parts.find(key);
      if (part == parts.end()) {
        const int next = static_cast<int>(parts.size());
        part = parts.emplace(key, std::pair(parts_in[cell_of_[slot]]++, next)).first;
      }
      numbers.push_back(part->second.first);
      cell_of_[slot] = part->second.second;
    }
    return numbers;
  }

 private:
  std::vector<int> cell_of_;
};

}  // namespace

Coordinates::Coordinates(const Machine& machine) {
  const std::size_t slots = machine.slots.size();
  Cells cells(slots);
  std::vector<std::vector<int>> columns;
  for (const Kind kind : kinds_of(machine)) {
    std::vector<int> numbers = cells.divide(partition_of(machine, kind));
    const int size = *std::ranges::max_element(numbers) + 1;
    if (size > 1) {
      dimensions_.push_back({kind, size});
      columns.push_back(std::move(numbers));
    }
  }
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (const std::vector<int>& column : columns) {
      all_.push_back(column[slot]);
    }
  }
  sorted_.resize(slots);
  std::iota(sorted_.begin(), sorted_.end(), 0);
  std::ranges::sort(
      sorted_, [&](int a, int b) { return std::ranges::lexicographical_compare(of(a), of(b)); });
}

std::span<const int> Coordinates::of(int slot) const {
  const std::size_t count = dimensions_.size();
  return std::span(all_).subspan(static_cast<std::size_t>(slot) * count, count);
}

int Coordinates::slot(std::span<const int> coordinates) const {
  if (coordinates.size() != dimensions_.size()) {
    return -1;
  }
  const auto at = std::ranges::lower_bound(
      sorted_, coordinates,
      [](const auto& a, const auto& b) { return std::ranges::lexicographical_compare(a, b); },
      [&](int slot) { return of(slot); });
  return at != sorted_.end() && std::ranges::equal(of(*at), coordinates) ? *at : -1;
}

}  // namespace nestbind::topology
