// SPDX-License-Identifier: BSD-3-Clause
// The measurements of `nestbind probe --save`, beside the machine in the cache's folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {

// Measurements from the processors of a NUMA node (row) to the memory of a node (column). Indices
// are those of Hardware::numa_processors. A value is 0 if it was not measured: the measuring
// process had no processors of the node, or an earlier node has the same processors.
struct Probed {
  std::vector<std::vector<unsigned>> ns;  // nanoseconds of a read that waits for the previous read
  std::vector<std::vector<unsigned>> megabytes;  // megabytes per second, by all cores of the node
  bool operator==(const Probed&) const = default;
};

// Whether the number of nodes is the same, and each processor of the machine belongs to a measured
// node. Only then can the measured distances replace the firmware's.
bool covers(const Probed& probed, const Hardware& hardware);

// Returns the key of measurements of this machine (cache.hpp) by any program. Returns none if there
// is no key.
std::optional<Key> key_of_probed();

// Convert measurements to the bytes of a file and back. unseal_probed() returns none if the bytes
// are damaged, not square, or have another key.
std::string seal(const Probed& probed, const Key& key);
std::optional<Probed> unseal_probed(std::string_view bytes, const Key& key);

// Returns the measurements that were saved for this machine since its boot. Returns none if there
// is no valid file. cache: the value of NESTBIND_CACHE; null if it is not set.
std::optional<Probed> find_probed(const char* cache);

// Adds the saved measurements to the hardware of the running system. Changes nothing if there are
// no measurements, or if they do not cover the hardware. cache: as for find_probed().
void add_probed(Hardware& hardware, const char* cache);

}  // namespace nestbind::machine::cache
