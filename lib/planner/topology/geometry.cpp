// SPDX-License-Identifier: BSD-3-Clause
#include "topology/geometry.hpp"

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

using Nearness = std::pair<double, int>;

std::vector<Nearness> nearness_of(const Geometry& geometry, int root, std::span<const int> slots) {
  std::vector<Nearness> nearness;
  nearness.reserve(slots.size());
  for (const int slot : slots) {
    nearness.emplace_back(geometry.distance(root, slot), geometry.levels(root, slot));
  }
  return nearness;
}

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

Geometry::Geometry(const machine::Machine& machine, const machine::NumaNodes& nodes)
    : coordinates_(machine), levels_(machine), nodes_(nodes), interconnect_(nodes) {
  for (const machine::Slot& slot : machine.slots) {
    node_of_.push_back(slot.numa);
  }
  for (const auto& row : nodes_.distance) {
    farthest_ = std::max<double>(farthest_, *std::ranges::max_element(row));
  }
}

Unit Geometry::unit() const {
  if (nodes_.distance.empty()) {
    return Unit::kLevels;
  }
  return nodes_.in_ns ? Unit::kNanoseconds : Unit::kFirmware;
}

double Geometry::distance(int from, int to) const {
  if (nodes_.distance.empty()) {
    return levels(from, to);
  }
  const int a = interconnect_.place_of(node_of_[from]);
  const int b = interconnect_.place_of(node_of_[to]);
  return a < 0 || b < 0 ? farthest_ : nodes_.distance[a][b];
}

double Geometry::numa_factor(int from, int to) const {
  const int a = interconnect_.place_of(from);
  const int b = interconnect_.place_of(to);
  if (a < 0 || b < 0) {
    return -1;
  }
  if (a == b) {
    return 1;
  }
  const double own = nodes_.distance.empty() ? 0 : nodes_.distance[a][a];
  return own > 0 ? nodes_.distance[a][b] / own : -1;
}

std::vector<int> nearest_first(const Geometry& geometry, int root, std::span<const int> slots) {
  const std::vector<Nearness> nearness = nearness_of(geometry, root, slots);
  std::vector<int> order(slots.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::less<>(),
                    [&](int place) { return std::pair(nearness[place], place); });
  return order;
}

int closest(const Geometry& geometry, int root, std::span<const int> slots) {
  const std::vector<Nearness> nearness = nearness_of(geometry, root, slots);
  const auto least = std::ranges::min_element(nearness);
  return least == nearness.end() ? -1 : static_cast<int>(least - nearness.begin());
}

Levels::Levels(const machine::Machine& machine)
    : nodes_(machine.nodes), below_(machine.nodes.size(), 0) {
  // Children come after their parents.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const machine::Node& node = nodes_[i];
    below_[i] = node.children.empty() && node.end - node.begin > 1 ? 1 : 0;
    for (const int child : node.children) {
      below_[i] = std::max(below_[i], below_[child] + 1);
    }
  }
}

int Levels::between(int a, int b) const {
  if (a == b) {
    return 0;
  }
  const int first = std::min(a, b);
  const int last = std::max(a, b);
  int node = 0;
  while (true) {
    const std::vector<int>& children = nodes_[node].children;
    const auto child =
        std::ranges::upper_bound(children, first, {}, [&](int index) { return nodes_[index].end; });
    if (child == children.end() || nodes_[*child].end <= last) {
      return below_[node];
    }
    node = *child;
  }
}

}  // namespace nestbind::topology
