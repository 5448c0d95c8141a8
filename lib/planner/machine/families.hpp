// SPDX-License-Identifier: BSD-3-Clause
// Groups the processors by each kind of object that a machine can have.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "machine/hardware.hpp"
#include "machine/machine.hpp"

namespace nestbind::machine {

// The kinds of objects that group processors, in nominal order, the smallest first.
enum class Grain { kCore, kL1, kL2, kL3, kL4, kL5, kDie, kNuma, kPackage, kBoard };
inline constexpr int kGrains = 10;

// In these partitions slots_in counts processors, not slots.
struct Families {
  // If a processor is in two objects of a grain, the partition has the smaller object.
  std::array<Partition, kGrains> of;

  // The grains, sorted by the average size of their objects on the whole machine. The grain with
  // the smallest objects is first.
  std::array<Grain, kGrains> order{};

  // All layers (families.cpp), sorted by the average size of their objects. The layer with the
  // smallest objects is first.
  std::vector<Partition> layers;

  // indexed by objects of Grain::kNuma; may be empty
  std::vector<std::vector<unsigned>> numa_distance;

  const Partition& at(Grain grain) const { return of[static_cast<int>(grain)]; }
  bool has(Grain grain) const { return !at(grain).slots_in.empty(); }

  // If the machine has no objects of this kind, returns the larger grain with the smallest objects.
  // For a missing board, returns the package. Returns none if there is no larger grain. kind: not
  // Kind::kPu.
  std::optional<Grain> grain_of(Kind kind) const;
};

Families make_families(const Hardware& whole);

}  // namespace nestbind::machine
