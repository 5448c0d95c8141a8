// SPDX-License-Identifier: BSD-3-Clause
// The file in which ldconfig(8) lists the libraries of the system: /etc/ld.so.cache.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/inspect/hwcaps.hpp"
#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

// Of glibc's format 1.1, alone or behind the older one in the same file; another file has no
// entries.
class LoaderCache {
 public:
  // Keeps the bytes, which must live as long.
  explicit LoaderCache(std::string_view bytes);

  std::uint32_t size() const { return entries_; }

  // The path that the loader takes for a name on this processor; empty if it has none there.
  std::string find(std::string_view name, const Hwcaps& hwcaps) const;

 private:
  struct Entry;
  struct Extension;

  bool get(std::uint64_t index, Entry& entry) const;
  std::string_view text(std::uint32_t offset) const;
  void read_levels(std::uint32_t directory);
  std::string_view level_of(std::uint64_t index) const;
  std::string best_of(std::uint64_t first, std::string_view name, const Hwcaps& hwcaps) const;

  Bytes file_;
  Bytes table_;  // what the offsets of names count from
  std::uint32_t entries_ = 0;
  std::uint64_t levels_ = 0;  // where in the file the offsets of the levels' names are
  std::uint64_t level_count_ = 0;
};

// The order of the entries: as strcmp, but numbers by their value. Negative, zero or positive.
int compare_in_cache(std::string_view a, std::string_view b);

}  // namespace nestbind::cli::inspect
