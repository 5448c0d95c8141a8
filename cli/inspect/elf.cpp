// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/elf.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <ranges>
#include <unordered_set>

#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

using namespace std::string_view_literals;

namespace {

constexpr std::size_t kMaxFileName = 4096;
constexpr std::size_t kMaxName = 64;  // bytes; longer than every name that is searched for

// Two texts that every libgomp since GCC 4.4 has: a variable's name, and the beginning of messages.
// No other runtime has both texts. A program that only sets the variable has only the first text.
constexpr std::string_view kTextsOfGomp[] = {"\0GOMP_SPINCOUNT\0"sv, "\nlibgomp: \0"sv};

class Reader {
 public:
  Reader(Bytes file, SymbolFilter is_wanted, ElfFile& out)
      : image_(file), is_wanted_(is_wanted), out_(out) {}

  void read(SymbolTables tables) {
    read_interpreter();
    read_dynamic();
    out_.is_library =
        image_.header().e_type == ET_DYN && out_.interpreter.empty() && !is_position_independent_;
    read_dynamic_symbols();
    if (tables == SymbolTables::kAll && !read_symbol_table()) {
      read_texts();
    }
  }

 private:
  using Names = std::vector<std::string>;

  void read_interpreter() {
    for (const Elf64_Phdr& segment : image_.segments()) {
      if (segment.p_type == PT_INTERP && out_.interpreter.empty()) {
        out_.interpreter = image_.file().string_at(segment.p_offset, kMaxFileName);
      }
    }
  }

  void read_dynamic() {
    if (!image_.has_texts()) {
      return;
    }
    bool has_rpath = false;
    bool has_runpath = false;
    for (const Elf64_Dyn& entry : image_.dynamic()) {
      const std::uint64_t value = entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) {
        out_.needed.emplace_back(image_.text(value, kMaxFileName));
      } else if (entry.d_tag == DT_SONAME) {
        out_.soname = image_.text(value, kMaxFileName);
      } else if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) {
        has_rpath = has_rpath || entry.d_tag == DT_RPATH;
        has_runpath = has_runpath || entry.d_tag == DT_RUNPATH;
      } else if (entry.d_tag == DT_FLAGS_1) {
        is_position_independent_ = (value & DF_1_PIE) != 0;
      }
    }
    out_.has_rpath = has_rpath && !has_runpath;
  }

  void read_dynamic_symbols() {
    const auto symbols = image_.offset_by(DT_SYMTAB);
    const auto strings = image_.offset_by(DT_STRTAB);
    if (!symbols || !strings || is_wanted_ == nullptr) {
      return;
    }
    Listed imports{out_.imports, {}};
    Listed weak{out_.weak, {}};
    Listed exports{out_.exports, {}};
    image_.each<Elf64_Sym>(*symbols, image_.dynamic_symbols(), [&](const Elf64_Sym& symbol) {
      const bool is_undefined = symbol.st_shndx == SHN_UNDEF;
      take(*strings, symbol, is_undefined ? imports : exports);
      if (is_undefined && ELF64_ST_BIND(symbol.st_info) == STB_WEAK) {
        take(*strings, symbol, weak);
      }
    });
  }

  bool read_symbol_table() {
    const auto table = image_.symbols_of(SHT_SYMTAB);
    if (table && is_wanted_ != nullptr) {
      Listed definitions{out_.definitions, {}};
      image_.each<Elf64_Sym>(table->offset, table->count, [&](const Elf64_Sym& symbol) {
        if (symbol.st_shndx != SHN_UNDEF) {
          take(table->strings, symbol, definitions);
        }
      });
    }
    return table.has_value();
  }

  // Every libgomp calls pthread_create. So files without this call are not searched.
  void read_texts() {
    const std::string_view all = image_.file().all();
    bool has[] = {false, false};
    for (const Elf64_Phdr& segment : image_.segments()) {
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0 ||
          !contains(out_.imports, "pthread_create")) {
        continue;
      }
      const std::string_view bytes =
          all.substr(std::min<std::uint64_t>(segment.p_offset, all.size()), segment.p_filesz);
      for (std::size_t i = 0; i < std::size(has); ++i) {
        // string_view::find is slow: it stops at each nul, and most bytes are nul.
        has[i] = has[i] || memmem(bytes.data(), bytes.size(), kTextsOfGomp[i].data(),
                                  kTextsOfGomp[i].size()) != nullptr;
      }
    }
    out_.has_texts_of_gomp = has[0] && has[1];
  }

  struct Listed {
    Names& names;
    std::unordered_set<std::string_view> known;
  };

  void take(std::uint64_t strings, const Elf64_Sym& symbol, Listed& list) {
    const std::string_view name = image_.file().string_at(strings + symbol.st_name, kMaxName);
    if (name.empty() || !is_wanted_(name) || list.known.contains(name)) {
      return;
    }
    list.known.insert(name);
    list.names.emplace_back(name);
  }

  ElfImage image_;
  SymbolFilter is_wanted_;
  ElfFile& out_;
  bool is_position_independent_ = false;
};

std::vector<StaticArray> arrays_in(const ElfImage& image, std::uint64_t least) {
  std::map<std::uint64_t, StaticArray> arrays;  // by address: an array may have several names
  auto table = image.symbols_of(SHT_SYMTAB);
  if (!table) {
    table = image.symbols_of(SHT_DYNSYM);
  }
  const auto take = [&](const Elf64_Sym& symbol) {
    const std::uint64_t end = symbol.st_value + symbol.st_size;
    if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_size >= least && end > symbol.st_value) {
      const std::string_view name =
          image.file().string_at(table->strings + symbol.st_name, kMaxFileName);
      arrays.try_emplace(symbol.st_value, StaticArray{symbol.st_value, end, std::string(name)});
    }
  };
  if (table) {
    image.each<Elf64_Sym>(table->offset, table->count, take);
  }
  std::vector<StaticArray> sorted;
  std::ranges::copy(arrays | std::views::values, std::back_inserter(sorted));
  return sorted;
}

}  // namespace

bool ElfFile::does_import(std::string_view name) const { return contains(imports, name); }
bool ElfFile::does_export(std::string_view name) const { return contains(exports, name); }
bool ElfFile::does_define(std::string_view name) const {
  return contains(exports, name) || contains(definitions, name);
}

ElfFile read_elf_bytes(std::string_view bytes, SymbolTables tables, SymbolFilter is_wanted) {
  ElfFile out;
  const Bytes file(bytes);
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) {
    out.kind = ElfFile::Kind::kNotElf;
  } else if (!ElfImage::is_own(file)) {
    out.kind = ElfFile::Kind::kForeign;
  } else {
    out.kind = ElfFile::Kind::kElf;
    Reader(file, is_wanted, out).read(tables);
  }
  return out;
}

ElfFile read_elf(const std::string& path, SymbolTables tables, SymbolFilter is_wanted) {
  const MappedFile file(path);
  if (file.fault().empty()) {
    return read_elf_bytes(file.bytes(), tables, is_wanted);
  }
  ElfFile out;
  out.fault = file.fault();
  return out;
}

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
