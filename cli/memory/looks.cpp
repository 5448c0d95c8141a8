// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/looks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::cli::memory {

namespace {

namespace kernel = nestbind::memory::kernel;
namespace watch = nestbind::memory::watch;
using watch::Area;

// Bits of an entry of /proc/PID/pagemap (the kernel's pagemap.rst).
constexpr std::uint64_t kIsThere = std::uint64_t{1} << 63;
constexpr std::uint64_t kIsSwapped = std::uint64_t{1} << 62;

enum class Presence : std::uint8_t { kNot, kSwapped, kThere };

std::string pagemap_of(int process) { return fmt::format("/proc/{}/pagemap", process); }

// Returns an empty vector if the process has ended.
std::vector<Presence> present_in(const support::File& pagemap, const Area& area) {
  const std::uint64_t page = kernel::page_bytes();
  std::vector<Presence> present((area.end - area.begin) / page);
  std::vector<std::uint64_t> entries(std::min<std::size_t>(present.size(), 16384));
  for (std::size_t at = 0; at < present.size();) {
    const std::size_t count = std::min(entries.size(), present.size() - at);
    const std::size_t got = pagemap.some((area.begin / page + at) * sizeof entries[0],
                                         entries.data(), count * sizeof entries[0]);
    if (got < sizeof entries[0]) {
      return {};
    }
    for (std::size_t i = 0; i < got / sizeof entries[0]; ++i) {
      present[at++] = (entries[i] & kIsThere) != 0     ? Presence::kThere
                      : (entries[i] & kIsSwapped) != 0 ? Presence::kSwapped
                                                       : Presence::kNot;
    }
  }
  return present;
}

bool is_anonymous(const kernel::Mapping& mapping) {
  return mapping.inode == 0 &&
         (mapping.name.empty() || mapping.name == "[heap]" || mapping.name.starts_with("[anon"));
}

bool is_own(const kernel::Mapping& mapping) {
  return mapping.is_private && (mapping.protection & PROT_WRITE) != 0 &&
         (mapping.protection & PROT_EXEC) == 0;
}

// Returns the size of a chunk that glibc's malloc has mapped at this address, or 0. The second word
// is the size. Its low bits say whether the chunk is mapped.
std::uint64_t chunk_by(const std::uint64_t (&head)[2], std::uint64_t most) {
  constexpr std::uint64_t kFlags = 7;
  constexpr std::uint64_t kIsMapped = 2;
  const std::uint64_t bytes = head[1] & ~kFlags;
  const bool is_chunk = (head[1] & kFlags) == kIsMapped && head[0] < kernel::page_bytes() &&
                        bytes % kernel::page_bytes() == 0 && bytes > 0 && bytes <= most;
  return is_chunk ? bytes : 0;
}

// Reads only present pages, to cause no first touch.
std::vector<Area> chunks_in(int process, std::uint64_t least, const Area& mapping,
                            const std::vector<Presence>& present) {
  constexpr std::size_t kHeadsAtOnce = 64;
  const std::uint64_t page = kernel::page_bytes();
  std::vector<Area> chunks;
  std::uint64_t at = mapping.begin;
  while (!present.empty() && mapping.end - at >= least && at < mapping.end) {
    std::vector<iovec> heads;
    for (; mapping.end - at >= least && at < mapping.end && heads.size() < kHeadsAtOnce;
         at += page) {
      if (present[(at - mapping.begin) / page] == Presence::kThere) {
        heads.push_back({reinterpret_cast<void*>(at), 16});  // NOLINT(performance-no-int-to-ptr)
      }
    }
    std::uint64_t found[kHeadsAtOnce][2] = {};
    const iovec local{found, heads.size() * 16};
    const ssize_t got =
        heads.empty() ? 0 : process_vm_readv(process, &local, 1, heads.data(), heads.size(), 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<ssize_t>(got, 0)) / 16; ++i) {
      const auto begin = reinterpret_cast<std::uint64_t>(heads[i].iov_base);
      if (const std::uint64_t bytes = chunk_by(found[i], mapping.end - begin); bytes >= least) {
        chunks.push_back({begin, begin + bytes, ""});
        at = begin + bytes;
        break;
      }
    }
  }
  return chunks;
}

struct Found {
  int process;
  const support::File& pagemap;
  std::uint64_t least;
  Chunks& known;
  std::vector<Area> areas;

  void add(std::uint64_t begin, std::uint64_t end, const std::string& name) {
    if (begin < end && end - begin >= least) {
      areas.push_back({begin, end, name});
    }
  }

  // The kernel joins adjacent mappings. Each chunk in a joined mapping becomes a region. The search
  // is repeated, because the program may write to a chunk later.
  void add_chunks(std::uint64_t begin, std::uint64_t end) {
    constexpr int kTimes = 4;
    const Area mapping{begin, end, ""};
    const auto [at, is_new] = known.try_emplace({begin, end});
    auto& [times, chunks] = at->second;
    if (times < kTimes) {
      ++times;
      chunks = chunks_in(process, least, mapping, present_in(pagemap, mapping));
    }
    for (const Area& chunk : chunks) {
      add(begin, chunk.begin, "");
      add(chunk.begin, chunk.end, "");
      begin = chunk.end;
    }
    add(begin, end, "");
  }

  // The data between the arrays do not become a region.
  void add_statics(std::uint64_t begin, std::uint64_t end, std::uint64_t bias,
                   const std::vector<inspect::StaticArray>& arrays) {
    for (const inspect::StaticArray& array : arrays) {
      const std::uint64_t page = kernel::page_bytes();
      const std::uint64_t from = (bias + array.begin) / page * page;
      const std::uint64_t to = (bias + array.end + page - 1) / page * page;
      if (from >= begin && to <= end) {
        add(areas.empty() ? from : std::max(from, areas.back().end), to, array.name);
      }
    }
  }
};

const Module* module_of(const std::vector<Module>& modules, const std::string& name) {
  const auto found = std::ranges::find(modules, name, &Module::name);
  return found == modules.end() ? nullptr : &*found;
}

constexpr std::size_t kMostAsked = std::size_t{1} << 16;    // pages in one look
constexpr std::size_t kFewestAsked = std::size_t{1} << 12;  // pages in one region
// Returns at most `most` present pages, chosen at random.
std::vector<std::size_t> chosen(const std::vector<Presence>& present, std::size_t most,
                                std::mt19937_64& chance) {
  std::uniform_int_distribution<std::size_t> any(0, std::max<std::size_t>(present.size(), 1) - 1);
  std::vector<std::size_t> pages;
  for (std::size_t i = 0; i < std::min(present.size(), most); ++i) {
    const std::size_t page = present.size() <= most ? i : any(chance);
    if (present[page] == Presence::kThere) {
      pages.push_back(page);
    }
  }
  return pages;
}

// With one node the kernel is not asked.
int nodes_of(int process, const Area& area, const std::vector<std::size_t>& pages,
             std::vector<int>& nodes) {
  nodes.assign(pages.size(), 0);
  if (kernel::nodes().count() == 1) {
    std::ranges::fill(nodes, kernel::nodes().numbers[0]);
    return 0;
  }
  std::vector<std::uintptr_t> addresses;
  addresses.reserve(pages.size());
  for (const std::size_t page : pages) {
    addresses.push_back(area.begin + page * kernel::page_bytes());
  }
  return pages.empty() ? 0 : kernel::find_nodes(addresses, nodes, process);
}

}  // namespace

const inspect::StaticData& StaticArrays::of(const std::string& file, std::uint64_t least) {
  const auto [at, is_new] = files_.try_emplace(file);
  if (is_new) {
    const inspect::MappedFile mapped(file);
    at->second =
        inspect::static_data_of(inspect::Bytes(mapped.bytes()), least, kernel::page_bytes());
  }
  return at->second;
}

bool is_reservation(std::uint64_t bytes) {
  return bytes / kernel::page_bytes() > static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
}

std::vector<Area> find_areas(int process, std::uint64_t least, const std::vector<Module>& modules,
                             StaticArrays& arrays, Chunks& chunks) {
  const std::vector<kernel::Mapping> mappings = kernel::read_mappings(process);
  const support::File pagemap(pagemap_of(process).c_str());
  Found found{process, pagemap, least, chunks, {}};
  for (std::size_t i = 0; i < mappings.size();) {
    // The kernel splits a mapping if a part has a policy.
    const kernel::Mapping& first = mappings[i];
    const bool is_data = first.inode != 0;
    std::uint64_t end = first.range.end;
    std::size_t next = i + 1;
    const Module* const module = is_data ? module_of(modules, first.name) : nullptr;
    while (
        is_own(first) && next < mappings.size() && mappings[next].range.begin == end &&
        is_own(mappings[next]) &&
        (mappings[next].name == first.name || (module != nullptr && mappings[next].name.empty()))) {
      end = mappings[next++].range.end;
    }
    i = next;
    if (!is_own(first) || end - first.range.begin < least ||
        is_reservation(end - first.range.begin)) {
      continue;
    }
    if (module != nullptr) {
      // Memory with chunks may follow the library's data in the same mapping.
      const inspect::StaticData& data = arrays.of(module->file, least);
      const std::uint64_t bias = module->base - data.origin;
      const std::uint64_t last =
          std::clamp(data.is_loaded ? bias + data.end : 0, first.range.begin, end);
      found.add_statics(first.range.begin, last, bias, data.arrays);
      found.add_chunks(last, end);
    } else if (is_anonymous(first)) {
      found.add_chunks(first.range.begin, end);
    }
  }
  return found.areas;
}

int look(watch::ProcessTable& table, const std::vector<Area>& areas, std::uint64_t now,
         std::uint64_t hints, const Balanced& before, bool may_ask, std::mt19937_64& chance) {
  const int process = static_cast<int>(table.process());
  const support::File pagemap(pagemap_of(process).c_str());
  if (!pagemap.is_open()) {
    return ESRCH;
  }
  int result = 0;
  table.begin_look(now, areas);
  const std::size_t most = std::max(kFewestAsked, areas.empty() ? 0 : kMostAsked / areas.size());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    watch::Region& region = table.regions()[i];
    const std::vector<Presence> present = present_in(pagemap, areas[i]);
    const std::vector<std::size_t> pages = chosen(present, most, chance);
    std::vector<int> nodes;
    const int error = may_ask ? nodes_of(process, areas[i], pages, nodes) : EPERM;
    if (present.empty() || error == EINVAL || error == ESRCH) {
      result = ESRCH;
      break;
    }
    if (error != 0) {
      result = error;
      nodes.assign(pages.size(), watch::kNoNode);
    }
    const bool may_have_moved = balanced_so_far().moved != before.moved;
    for (std::size_t page = 0; page < present.size(); ++page) {
      if (present[page] == Presence::kThere) {
        table.see(region, page, watch::kNoNode);
      } else if (present[page] == Presence::kNot) {
        watch::ProcessTable::miss(region, page);
      }
    }
    for (std::size_t page = 0; page < pages.size(); ++page) {
      table.see(region, pages[page], nodes[page], may_have_moved);
    }
  }
  table.end_look(hints);
  return result;
}

Balanced balanced_so_far() {
  Balanced balanced;
  std::istringstream file(support::kernel_text("/proc/vmstat"));
  std::string name;
  for (std::uint64_t number = 0; file >> name >> number;) {
    balanced.hints = name == "numa_hint_faults" ? number : balanced.hints;
    balanced.moved = name == "numa_pages_migrated" ? number : balanced.moved;
  }
  return balanced;
}

}  // namespace nestbind::cli::memory
