// SPDX-License-Identifier: BSD-3-Clause
// Small files as ldconfig writes them, whole or with one thing wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace cache_file {

struct Entry {
  std::string name;
  std::string path;
  std::uint64_t hwcap = 0;
  std::int32_t flags = kOwnFlags;

#if defined(__x86_64__)
  static constexpr std::int32_t kOwnFlags = 0x0303;
#elif defined(__aarch64__)
  static constexpr std::int32_t kOwnFlags = 0x0a03;
#elif defined(__powerpc64__)
  static constexpr std::int32_t kOwnFlags = 0x0503;
#else
  static constexpr std::int32_t kOwnFlags = 0x1003;
#endif
};

// Of an entry that names a level of glibc-hwcaps, by its place among them.
inline std::uint64_t level(std::uint32_t index, std::uint64_t isa_level = 0) {
  return (std::uint64_t{1} << 62) | isa_level << 32 | index;
}

struct Cache {
  std::vector<Entry> entries;  // descending by name
  std::vector<std::string> levels;
  std::uint8_t flags = 2;  // little endian
  std::uint32_t magic = 0xEAA42174;
};

inline void put(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}
template <typename T>
void put(std::string& bytes, T value) {
  put(bytes, &value, sizeof value);
}

inline std::string bytes_of(const Cache& cache) {
  constexpr std::size_t kHeader = 48;
  constexpr std::size_t kEntry = 24;
  std::string strings;
  const std::size_t first = kHeader + kEntry * cache.entries.size();
  const auto text = [&](const std::string& one) {
    const std::size_t at = first + strings.size();
    strings.append(one).push_back('\0');
    return static_cast<std::uint32_t>(at);
  };
  std::string entries;
  for (const Entry& entry : cache.entries) {
    put(entries, entry.flags);
    put(entries, text(entry.name));
    put(entries, text(entry.path));
    put(entries, std::uint32_t{0});
    put(entries, entry.hwcap);
  }
  std::string levels;
  for (const std::string& level : cache.levels) {
    put(levels, text(level));
  }
  strings.resize((strings.size() + 7) / 8 * 8);
  const auto directory = static_cast<std::uint32_t>(first + strings.size());
  std::string bytes = "glibc-ld.so.cache1.1";
  put(bytes, static_cast<std::uint32_t>(cache.entries.size()));
  put(bytes, static_cast<std::uint32_t>(strings.size()));
  put(bytes, std::uint32_t{cache.flags});
  put(bytes, directory);
  bytes.resize(kHeader);
  bytes += entries + strings;
  put(bytes, cache.magic);
  put(bytes, std::uint32_t{1});
  const std::uint32_t section[] = {1, 0, directory + 24, static_cast<std::uint32_t>(levels.size())};
  put(bytes, section, sizeof section);
  return bytes + levels;
}

// Behind a table of the older format, which nobody reads.
inline std::string behind_old(const std::string& bytes, std::uint32_t old_entries) {
  std::string whole = "ld.so-1.7.0";
  whole.resize(12);
  put(whole, old_entries);
  whole.resize((16 + std::size_t{old_entries} * 12 + 7) / 8 * 8);
  return whole + bytes;
}

}  // namespace cache_file
