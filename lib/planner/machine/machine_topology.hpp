// SPDX-License-Identifier: BSD-3-Clause
// What the process may use of the hardware: of the running system, an XML file, or a synthetic
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

// NESTBIND_CORES: which kinds of cores of a hybrid machine are used.
enum class CoreChoice { kAuto, kPerformance, kEfficient, kAll };

struct Choice {
  long wanted = 1;  // the product of the specification's sizes
  int smt = 0;      // slots a core (NESTBIND_SMT); 0: as many as wanted
  CoreChoice cores = CoreChoice::kAuto;
};

// Without a specification nobody says how many slots are wanted: all kinds of cores count, unless
// the user has chosen one.
inline Choice choice_without_specification(int smt, CoreChoice cores) {
  return {1, smt, cores == CoreChoice::kAuto ? CoreChoice::kAll : cores};
}

// The topology could not be read; what() says which one and why.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Topology {
 public:
  // allowed: the operating system's numbers of the processors that may be used; none given: all
  // that the hardware allows. source: where the hardware was read, for messages; empty: the running
  // system. Throws Unreadable where nothing is left.
  static Topology of(Hardware whole, const std::string& source,
                     const std::optional<std::vector<int>>& allowed);

  // How many objects of a kind the process may use; at least 1. Where the machine has no object of
  // the kind, the next larger kind by containment counts. With kPerformance or kEfficient, those
  // that have such cores.
  int count(Kind kind, CoreChoice cores = CoreChoice::kAuto) const;

  // The slots for a number of threads, and the tree above them (semantics: "Slots").
  Machine slots(const Choice& choice) const;

  // Those of the machine, whatever the process may use of them: what is between two that it may use
  // does not depend on that.
  const NumaNodes& numa_nodes() const;

  // One line: "4 packages, 4 NUMA nodes, 16 cores, 16 processors", and ", distances: probed" where
  // those that were measured count.
  std::string summary() const;

  // The highest processor number, plus one.
  int cpu_limit() const;

 private:
  struct Data;
  explicit Topology(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace nestbind::machine
