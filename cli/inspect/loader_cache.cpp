// SPDX-License-Identifier: BSD-3-Clause
// After sysdeps/generic/dl-cache.h and elf/dl-cache.c of glibc 2.36.
#include "cli/inspect/loader_cache.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace nestbind::cli::inspect {

namespace {

// _DL_CACHE_DEFAULT_ID of each architecture: an ELF library of libc 6, and which of its ABIs.
#if defined(__x86_64__)
constexpr std::int32_t kOwnFlags = 0x0303;
#elif defined(__aarch64__)
constexpr std::int32_t kOwnFlags = 0x0a03;
#elif defined(__powerpc64__)
constexpr std::int32_t kOwnFlags = 0x0503;
#elif defined(__riscv)
constexpr std::int32_t kOwnFlags = 0x1003;
#endif

constexpr std::string_view kOldMagic = "ld.so-1.7.0";
constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
constexpr std::size_t kMaxText = 4096;

// One name has an entry for each ABI and each level.
constexpr std::uint64_t kMaxAlike = 256;

struct OldHeader {
  char magic[11];
  std::uint32_t entries;
};
struct OldEntry {
  std::int32_t flags;
  std::uint32_t key, value;
};
struct Header {
  char magic[20];
  std::uint32_t entries;
  std::uint32_t strings;
  std::uint8_t flags;
  std::uint8_t unused[3];
  std::uint32_t extensions;
  std::uint32_t unused_too[3];
};
static_assert(sizeof(OldHeader) == 16 && sizeof(OldEntry) == 12 && sizeof(Header) == 48);

constexpr std::uint8_t kOrderMask = 3;
constexpr std::uint8_t kUnknownOrder = 0;
constexpr std::uint8_t kLittle = 2;

constexpr std::uint32_t kExtensionMagic = 0xEAA42174;
constexpr std::uint32_t kLevelsTag = 1;
constexpr std::uint32_t kMaxExtensions = 64;

// Of an entry that names a level: its hardware bits but the level's index and that of the ISA.
constexpr std::uint64_t kIsaMask = 0x3FF;
bool names_level(std::uint64_t hwcap) { return ((hwcap >> 32) & ~kIsaMask) == (1U << 30); }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Takes a number from the text's begin.
unsigned take_number(std::string_view& text) {
  unsigned value = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    value = value * 10 + static_cast<unsigned>(text.front() - '0');
  }
  return value;
}

// Whether an entry that names no level fits the processor.
bool fits(std::uint64_t hwcap, const Hwcaps& hwcaps) {
  const std::uint64_t platform = hwcap & hwcaps.platform_bits;
  return (hwcap & ~hwcaps.feature_bits) == 0 && (platform == 0 || platform == hwcaps.platform_bit);
}

}  // namespace

struct LoaderCache::Entry {
  std::int32_t flags;
  std::uint32_t key, value;
  std::uint32_t unused;
  std::uint64_t hwcap;
};

struct LoaderCache::Extension {
  std::uint32_t tag;
  std::uint32_t flags;
  std::uint32_t offset;
  std::uint32_t size;
};

int compare_in_cache(std::string_view a, std::string_view b) {
  while (!a.empty()) {
    if (is_digit(a.front())) {
      if (b.empty() || !is_digit(b.front())) {
        return 1;
      }
      const unsigned one = take_number(a);
      const unsigned other = take_number(b);
      if (one != other) {
        return one < other ? -1 : 1;
      }
    } else if (!b.empty() && is_digit(b.front())) {
      return -1;
    } else if (b.empty() || a.front() != b.front()) {
      return b.empty() || a.front() > b.front() ? 1 : -1;
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return b.empty() ? 0 : -1;
}

LoaderCache::LoaderCache(std::string_view bytes) : file_(bytes), table_(bytes) {
  OldHeader old{};
  if (bytes.starts_with(kOldMagic) && file_.get(0, old)) {
    // The new table begins behind the old one, where 8 divides.
    const std::uint64_t end = sizeof old + std::uint64_t{old.entries} * sizeof(OldEntry);
    const std::uint64_t begin = (end + 7) / 8 * 8;
    table_ = Bytes(bytes.substr(std::min<std::uint64_t>(begin, bytes.size())));
  }
  Header header{};
  if (!table_.all().starts_with(kMagic) || !table_.get(0, header)) {
    return;
  }
  const std::uint8_t order = header.flags & kOrderMask;
  const bool is_little = header.flags == kUnknownOrder || order == kLittle;
  if (is_little && header.entries <= (table_.all().size() - sizeof header) / sizeof(Entry)) {
    entries_ = header.entries;
    read_levels(header.extensions);
  }
}

void LoaderCache::read_levels(std::uint32_t directory) {
  std::uint32_t magic = 0;
  std::uint32_t count = 0;
  if (directory == 0 || directory % 4 != 0 || !file_.get(directory, magic) ||
      magic != kExtensionMagic || !file_.get(directory + sizeof magic, count)) {
    return;
  }
  const std::uint64_t first = std::uint64_t{directory} + sizeof magic + sizeof count;
  Extension extension{};
  for (std::uint32_t i = 0; i < std::min(count, kMaxExtensions); ++i) {
    if (file_.get(first + i * sizeof extension, extension) && extension.tag == kLevelsTag &&
        extension.offset % 4 == 0 && extension.size % 4 == 0) {
      levels_ = extension.offset;
      level_count_ = extension.size / sizeof(std::uint32_t);
    }
  }
}

bool LoaderCache::get(std::uint64_t index, Entry& entry) const {
  return index < entries_ && table_.get(sizeof(Header) + index * sizeof entry, entry);
}

std::string_view LoaderCache::text(std::uint32_t offset) const {
  return table_.string_at(offset, kMaxText);
}

std::string_view LoaderCache::level_of(std::uint64_t index) const {
  std::uint32_t offset = 0;
  const bool is_there = index < level_count_ && file_.get(levels_ + index * sizeof offset, offset);
  return is_there ? file_.string_at(offset, kMaxText) : std::string_view{};
}

std::string LoaderCache::find(std::string_view name, const Hwcaps& hwcaps) const {
  // Descending order.
  std::uint64_t left = 0;
  std::uint64_t right = entries_;
  Entry entry{};
  while (left < right) {
    const std::uint64_t middle = (left + right) / 2;
    if (!get(middle, entry)) {
      return {};
    }
    const int order = compare_in_cache(name, text(entry.key));
    if (order == 0) {
      std::uint64_t first = middle;
      while (first > 0 && middle - first < kMaxAlike && get(first - 1, entry) &&
             compare_in_cache(name, text(entry.key)) == 0) {
        --first;
      }
      return best_of(first, name, hwcaps);
    }
    (order < 0 ? left : right) = order < 0 ? middle + 1 : middle;
  }
  return {};
}

// Entries that name a level come before the others; of these the best level that the processor has.
std::string LoaderCache::best_of(std::uint64_t first, std::string_view name,
                                 const Hwcaps& hwcaps) const {
  const std::vector<std::string>& levels = hwcaps.levels;
  std::string_view best;
  auto best_level = levels.end();
  Entry entry{};
  for (std::uint64_t i = first;
       i < first + 2 * kMaxAlike && get(i, entry) && compare_in_cache(name, text(entry.key)) == 0;
       ++i) {
    if (entry.flags != kOwnFlags) {
      continue;
    }
    if (!names_level(entry.hwcap)) {
      if (best_level == levels.end() && !fits(entry.hwcap, hwcaps)) {
        continue;
      }
      return std::string(best_level == levels.end() ? text(entry.value) : best);
    }
    const auto level = std::find(levels.begin(), levels.end(), level_of(entry.hwcap & UINT32_MAX));
    if (level < best_level && (entry.hwcap >> 32 & kIsaMask) <= hwcaps.isa_level) {
      best_level = level;
      best = text(entry.value);
    }
  }
  return std::string(best);
}

}  // namespace nestbind::cli::inspect
