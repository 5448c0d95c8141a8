// SPDX-License-Identifier: BSD-3-Clause
// The part of the hardware that the process may use.
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
  int smt = 0;      // slots per core; 0 means automatic
  CoreChoice cores = CoreChoice::kAuto;
};

// Without a specification the number of threads is not known, so all allowed cores are used.
inline Choice choice_without_specification(int smt, CoreChoice cores) {
  return {1, smt, cores == CoreChoice::kAuto ? CoreChoice::kAll : cores};
}

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Topology {
 public:
  // allowed: the operating system's numbers of usable processors. Without `allowed`, all processors
  // that the hardware allows are usable. source: the name of the hardware in messages. Throws
  // Unreadable if no processor is usable.
  static Topology of(Hardware whole, const std::string& source,
                     const std::optional<std::vector<int>>& allowed);

  // Returns the number of objects that the process may use, at least 1. If the machine has no such
  // objects, uses the next larger kind. If `cores` is kPerformance or
  // kEfficient, counts only objects with cores of this sort.
  int count(Kind kind, CoreChoice cores = CoreChoice::kAuto) const;

  Machine slots(const Choice& choice) const;

  // Returns all nodes of the machine, also those that the process may not use. The links between
  // two usable nodes depend on the other nodes, too.
  const NumaNodes& numa_nodes() const;

  std::string summary() const;

  int cpu_limit() const;

 private:
  struct Data;
  explicit Topology(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

// Chooses the used cores, and divides them into slots ("Slots" in nestbind-spec(7)).
// A processor without a core is a Core, too.
struct Core {
  int begin = 0;
  int end = 0;
  int speed = -1;  // rank of the core's kind; all ranks are equal if kinds are not known
  int threads() const { return end - begin; }
};

// An unused core has 0 slots.
std::vector<int> slots_of_cores(const std::vector<Core>& cores, const Choice& choice);

struct Cut {
  int begin = 0;
  int end = 0;
  int core = 0;
};

// `slots` is the result of slots_of_cores.
std::vector<Cut> cut_cores(const std::vector<Core>& cores, const std::vector<int>& slots);

}  // namespace nestbind::machine
