// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/static_data.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>

#include "cli/inspect/elf_image.hpp"

namespace nestbind::cli::inspect {

namespace {

// Together they limit the memory that a crafted file takes to 64 MiB.
constexpr std::size_t kMaxArrays = 1 << 14;
constexpr std::size_t kMaxName = 4096;

std::vector<StaticArray> arrays_in(const ElfImage& image, std::uint64_t least) {
  std::map<std::uint64_t, StaticArray> arrays;  // by address: an array may have several names
  auto table = image.symbols_of(SHT_SYMTAB);
  if (!table) {
    table = image.symbols_of(SHT_DYNSYM);
  }
  const auto take = [&](const Elf64_Sym& symbol) {
    const std::uint64_t end = symbol.st_value + symbol.st_size;
    if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_size >= least && end > symbol.st_value && arrays.size() < kMaxArrays) {
      const std::string_view name =
          image.file().string_at(table->strings + symbol.st_name, kMaxName);
      arrays.try_emplace(symbol.st_value, StaticArray{symbol.st_value, end, std::string(name)});
    }
  };
  if (table) {
    image.each<Elf64_Sym>(table->offset, std::min(table->count, ElfImage::kMaxSymbols), take);
  }
  std::vector<StaticArray> sorted;
  std::ranges::copy(arrays | std::views::values, std::back_inserter(sorted));
  return sorted;
}

}  // namespace

StaticData static_data_of(Bytes file, std::uint64_t least, std::uint64_t page_bytes) {
  StaticData data;
  if (!ElfImage::is_own(file)) {
    return data;
  }
  const ElfImage image(file);
  for (const Elf64_Phdr& segment : image.segments()) {
    if (segment.p_type != PT_LOAD) {
      continue;
    }
    if (!data.is_loaded) {
      data.is_loaded = true;
      data.origin =
          segment.p_vaddr / page_bytes * page_bytes - segment.p_offset / page_bytes * page_bytes;
    }
    const std::uint64_t end = segment.p_vaddr + segment.p_memsz + page_bytes - 1;
    data.end = std::max(data.end, end / page_bytes * page_bytes);
  }
  data.arrays = arrays_in(image, least);
  return data;
}

}  // namespace nestbind::cli::inspect
