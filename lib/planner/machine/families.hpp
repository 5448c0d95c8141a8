// SPDX-License-Identifier: BSD-3-Clause
// Groups the processors by each kind of object that a machine can have.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "machine/hardware.hpp"
#include "machine/machine.hpp"

namespace nestbind::machine {

// In nominal order, the smallest first.
enum class Grain { kCore, kL1, kL2, kL3, kL4, kL5, kDie, kNuma, kPackage, kBoard };
inline constexpr int kGrains = 10;

// Partitions of the allowed processors; slots_in counts processors.
struct Families {
  // For each grain the partition into its smallest objects. Leaves out objects whose processors are
  // all in smaller objects of the grain.
  std::array<Partition, kGrains> of;

  // The grains by average size of their objects, the smallest first; grains with equal averages in
  // nominal order. It is the order for the whole machine, without a mask.
  std::array<Grain, kGrains> order{};

  // A partition for each layer of each grain, by average size, the smallest first.
  std::vector<Partition> layers;

  std::vector<std::vector<unsigned>> numa_distance;  // indexed by objects of Grain::kNuma; or empty

  const Partition& at(Grain grain) const { return of[static_cast<int>(grain)]; }
  bool has(Grain grain) const { return !at(grain).slots_in.empty(); }

  // The grain for a kind: its own; if it has no objects, the smallest existing grain that is
  // nominally larger (for a board, the package); none: the machine. Not for Kind::kPu.
  std::optional<Grain> grain_of(Kind kind) const;
};

Families make_families(const Hardware& whole);

}  // namespace nestbind::machine
