// SPDX-License-Identifier: BSD-3-Clause
#include "machine/loading/find.hpp"

#include "machine/cache/cache.hpp"
#include "machine/loading/load.hpp"

namespace nestbind::machine::loading {

Hardware find_hardware(const std::string& source, const char* cache) {
  if (!source.empty()) {
    return load_and_read(source);
  }
  const auto folder = cache::Folder::open(cache);
  const std::string writer = folder.is_usable() ? identity_of_this_library() : "";
  const auto key = writer.empty() ? std::nullopt : cache::key_of_this_process(writer);
  if (!key) {
    return load_and_read(source);
  }
  if (auto known = folder.read(*key)) {
    return std::move(*known);
  }
  Hardware hardware = load_and_read(source);
  // Processors may have come or gone while hwloc read.
  const auto still = cache::key_of_this_process(writer);
  if (still && still->text == key->text) {
    folder.write(hardware, *key);
  }
  return hardware;
}

}  // namespace nestbind::machine::loading
