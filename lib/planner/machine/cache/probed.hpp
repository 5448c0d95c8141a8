// SPDX-License-Identifier: BSD-3-Clause
// The measurements of `nestbind probe --save`, beside the machine in the cache's folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {

// A row is for the processors of a NUMA node, a column for the memory of a node. Indices are those
// of Hardware::numa_processors. A value is 0 if it was not measured.
struct Probed {
  std::vector<std::vector<unsigned>> ns;  // nanoseconds of a read that waits for the previous read
  std::vector<std::vector<unsigned>> megabytes;  // megabytes per second, by all cores of the node
  bool operator==(const Probed&) const = default;
};

// True if each processor belongs to a measured node. The number of nodes must be the same.
bool covers(const Probed& probed, const Hardware& hardware);

// Returns the key of this machine's measurements. All programs use the same key.
std::optional<Key> key_of_probed();

// unseal_probed() returns none if the bytes are damaged, not square, or have another key.
std::string seal(const Probed& probed, const Key& key);
std::optional<Probed> unseal_probed(std::string_view bytes, const Key& key);

// Returns the measurements that were saved for this machine since its boot. cache: the value of
// NESTBIND_CACHE; null if it is not set.
std::optional<Probed> find_probed(const char* cache);

void add_probed(Hardware& hardware, const char* cache);

}  // namespace nestbind::machine::cache
