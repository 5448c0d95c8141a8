// SPDX-License-Identifier: BSD-3-Clause
// The part of the hardware that the process may use: this system, an XML file, or a synthetic
// description.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "machine/hardware.hpp"
#include "machine/machine.hpp"
#include "machine/numbers.hpp"

namespace nestbind::machine {

// NESTBIND_CORES: the kinds of cores to use on a hybrid machine.
enum class CoreChoice { kAuto, kPerformance, kEfficient, kAll };

struct Choice {
  long wanted = 1;  // the product of the specification's sizes
  int smt = 0;      // slots per core (NESTBIND_SMT); 0: as many as `wanted` needs
  CoreChoice cores = CoreChoice::kAuto;
};

// Without a specification `wanted` is not known: takes all cores of the kinds to use.
inline Choice choice_without_specification(int smt, CoreChoice cores) {
  return {1, smt, cores == CoreChoice::kAuto ? CoreChoice::kAll : cores};
}

// The topology could not be read. what() names the topology and the reason.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Topology {
 public:
  // allowed: the operating system's numbers of usable processors; none: all that the hardware
  // allows. source: where the hardware was read, for messages; empty: the running system. Throws
  // Unreadable if no processor is left.
  static Topology of(Hardware whole, const std::string& source,
                     const std::optional<std::vector<int>>& allowed);

  // How many objects of a kind the process may use; at least 1. If there is none of the kind,
  // counts the next larger kind. kPerformance, kEfficient: counts only objects with such cores.
  int count(Kind kind, CoreChoice cores = CoreChoice::kAuto) const;

  // The slots for a number of threads, and the tree above them ("Slots" in nestbind-spec(7)).
  Machine slots(const Choice& choice) const;

  // All nodes of the machine, also those that the process may not use: the links between two usable
  // nodes depend on the other nodes, too.
  const NumaNodes& numa_nodes() const;

  // For example "4 packages, 4 NUMA nodes, 16 cores, 16 processors". If measured distances are in
  // force, the text ends with ", distances: probed".
  std::string summary() const;

  // The highest processor number, plus one.
  int cpu_limit() const;

 private:
  struct Data;
  explicit Topology(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace nestbind::machine
