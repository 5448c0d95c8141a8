// SPDX-License-Identifier: BSD-3-Clause
// The measurements of `nestbind probe --save`, beside the machine in the cache's folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {

// From the processors of a NUMA node to the memory of another node. Indices are those of
// Hardware::numa_processors. 0: not measured, because the measuring process had no processors of
// the node, or an earlier node has the same processors.
struct Probed {
  std::vector<std::vector<unsigned>> ns;         // time of a read that waits for the one before
  std::vector<std::vector<unsigned>> megabytes;  // per second, read by all cores of the node
  bool operator==(const Probed&) const = default;
};

// Whether the number of nodes is the same, and each processor of the machine belongs to a measured
// node. Only then can the measured distances replace the firmware's.
bool covers(const Probed& probed, const Hardware& hardware);

// The key of measurements of this machine (cache.hpp), by any program; none if there is no key.
std::optional<Key> key_of_probed();

// A file's bytes, and the measurements in them (none if damaged, not square, or with another key).
std::string seal(const Probed& probed, const Key& key);
std::optional<Probed> unseal_probed(std::string_view bytes, const Key& key);

// The measurements that were saved for this machine since its boot. Returns none if there is no
// valid file. cache: NESTBIND_CACHE; null: not set.
std::optional<Probed> find_probed(const char* cache);

// Adds the saved measurements to the hardware of the running system. Changes nothing if there are
// none, or if they do not cover the hardware. cache: as above.
void add_probed(Hardware& hardware, const char* cache);

}  // namespace nestbind::machine::cache
