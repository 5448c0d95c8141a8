// SPDX-License-Identifier: BSD-3-Clause
// What `nestbind probe --save` has measured, beside the machine in the cache's folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {

// From the processors of a NUMA node to the memory of another; both by their place in
// Hardware::numa_processors. 0: not measured (a node without processors of the process that
// measured, or one that shares them with an earlier one).
struct Probed {
  std::vector<std::vector<unsigned>> ns;         // of a read that waits for the one before
  std::vector<std::vector<unsigned>> megabytes;  // a second, by all cores of the node
  bool operator==(const Probed&) const = default;
};

// Whether it is of so many nodes, and all processors of the machine belong to one that was
// measured: only then can its distances stand for the firmware's.
bool covers(const Probed& probed, const Hardware& hardware);

// As that of this machine (cache.hpp), whoever measured; none where there is none.
std::optional<Key> key_of_probed();

// The bytes of a file, and what is in them: none where they are damaged, have another key, or are
// not square.
std::string seal(const Probed& probed, const Key& key);
std::optional<Probed> unseal_probed(std::string_view bytes, const Key& key);

// What was saved of this machine since it was started. cache: NESTBIND_CACHE, null if it is not
// set. None where nothing was, or where it cannot be believed.
std::optional<Probed> find_probed(const char* cache);

// What was saved of the running system becomes what was measured of this hardware, which is that;
// where nothing was, or it does not cover it, nothing changes. cache: as above.
void add_probed(Hardware& hardware, const char* cache);

}  // namespace nestbind::machine::cache
