// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/statics.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "support/elf_sections.hpp"
#include "support/file_bytes.hpp"

namespace nestbind::memory::kernel {

namespace {

using support::File;
using support::MappedVector;

struct Loaded {
  std::uint64_t bias = 0;
  char name[4096] = "";
};

void add_array(const File& file, const ElfW(Sym) & symbol, const ElfW(Shdr) & names,
               std::uint64_t bias, MappedVector<StaticArray>& arrays) {
  StaticArray array;
  array.begin = bias + symbol.st_value;
  array.end = array.begin + symbol.st_size;
  const std::size_t length =
      file.some(names.sh_offset + symbol.st_name, array.name, sizeof array.name - 1);
  array.name[length] = '\0';
  const bool is_known = std::ranges::any_of(arrays, [&](const StaticArray& other) {
    return other.begin < array.end && array.begin < other.end;  // another name of it
  });
  if (!is_known) {
    arrays.push_back(array);
  }
}

void add_arrays(const Loaded& loaded, std::uint64_t least, MappedVector<StaticArray>& arrays) {
  constexpr std::size_t kAtOnce = 256;
  const File file(loaded.name[0] == '\0' ? "/proc/self/exe" : loaded.name);
  for (const unsigned type : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}}) {
    ElfW(Shdr) table{};
    ElfW(Shdr) names{};
    if (!support::find_section(file, type, table, names)) {
      continue;
    }
    ElfW(Sym) symbols[kAtOnce] = {};
    for (std::uint64_t at = 0; at < table.sh_size; at += sizeof symbols) {
      const std::size_t got = file.some(table.sh_offset + at, symbols, sizeof symbols);
      for (std::size_t i = 0;
           i < std::min<std::uint64_t>(got, table.sh_size - at) / sizeof symbols[0]; ++i) {
        if ((symbols[i].st_info & 0xf) == STT_OBJECT && symbols[i].st_shndx != SHN_UNDEF &&
            symbols[i].st_size >= least) {
          add_array(file, symbols[i], names, loaded.bias, arrays);
        }
      }
    }
    return;
  }
}

struct Search {
  std::uint64_t least;
  MappedVector<DataRange>& data;
  MappedVector<Loaded>& files;
};

int look_at(dl_phdr_info* info, std::size_t, void* into) {
  auto& search = *static_cast<Search*>(into);
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0 ||
        segment.p_memsz < search.least) {
      continue;
    }
    const std::uint64_t begin = info->dlpi_addr + segment.p_vaddr;
    search.data.push_back({begin, begin + segment.p_memsz});
    search.files.emplace_back();
    search.files.back().bias = info->dlpi_addr;
    std::strncpy(search.files.back().name, info->dlpi_name, sizeof Loaded::name - 1);
  }
  return 0;
}

}  // namespace

void find_statics(std::uint64_t least, MappedVector<StaticArray>& arrays,
                  MappedVector<DataRange>& data) {
  MappedVector<Loaded> files;
  Search search{least, data, files};
  // The files are read when the loader's lock is free again. Nothing is thrown through it: there is
  // memory for so many files before.
  files.reserve(64);
  data.reserve(64);
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t size, void* into) {
        const auto& search_so_far = *static_cast<Search*>(into);
        return search_so_far.files.size() + 8 > 64 ? 1 : look_at(info, size, into);
      },
      &search);
  for (const Loaded& file : files) {
    add_arrays(file, least, arrays);
  }
  std::ranges::sort(arrays, {}, &StaticArray::begin);
}

}  // namespace nestbind::memory::kernel
