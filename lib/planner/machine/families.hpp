// SPDX-License-Identifier: BSD-3-Clause
// The processors by objects of each kind that a machine can have.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "machine/hardware.hpp"
#include "machine/machine.hpp"

namespace nestbind::machine {

// In nominal order, from small to large.
enum class Grain { kCore, kL1, kL2, kL3, kL4, kL5, kDie, kNuma, kPackage, kBoard };
inline constexpr int kGrains = 10;

// Partitions of the allowed processors; slots_in counts processors.
struct Families {
  // By the smallest objects of each grain. Those that are the smallest around no processor do not
  // count.
  std::array<Partition, kGrains> of;

  // The grains, the smallest first: by the processors that an object has on the average of the
  // whole machine, so that a mask does not change it; where equal, in nominal order.
  std::array<Grain, kGrains> order{};

  // All objects of all grains: a partition for each layer, in the same order.
  std::vector<Partition> layers;

  std::vector<std::vector<unsigned>> numa_distance;  // by the objects of Grain::kNuma; or empty

  const Partition& at(Grain grain) const { return of[static_cast<int>(grain)]; }
  bool has(Grain grain) const { return !at(grain).slots_in.empty(); }

  // What counts as a kind: the grain itself, or the smallest that the machine has among those
  // nominally larger (for a board, the package); none: the machine. Not for Kind::kPu.
  std::optional<Grain> grain_of(Kind kind) const;
};

Families make_families(const Hardware& whole);

}  // namespace nestbind::machine
