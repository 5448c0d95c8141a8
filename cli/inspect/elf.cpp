// SPDX-License-Identifier: BSD-3-Clause
// After the System V gABI, chapters 4 and 5, and elf(5).
#include "cli/inspect/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <optional>

#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

namespace {

#if defined(__x86_64__)
constexpr int kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kOwnMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr int kOwnMachine = EM_PPC64;
#elif defined(__riscv)
constexpr int kOwnMachine = EM_RISCV;
#else
#error "say which e_machine programs of this architecture have"
#endif

// Of a damaged file: enough for every path of libraries, for every name that is looked for, and for
// every program's dynamic section. They keep its reading from taking time and memory without end.
constexpr std::size_t kMaxText = 1 << 16;
constexpr std::size_t kMaxName = 256;
constexpr std::uint64_t kMaxEntries = 4096;

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Reader {
 public:
  Reader(Bytes file, SymbolFilter is_wanted, ElfFile& out)
      : file_(file), is_wanted_(is_wanted), out_(out) {}

  void read(const Elf64_Ehdr& header, SymbolTables tables) {
    header_ = header;
    read_segments();
    read_sections();
    read_dynamic();
    read_dynamic_symbols();
    if (tables == SymbolTables::kAll) {
      read_symbol_table();
    }
  }

 private:
  // Calls `take` for each of `count` entries of a table, until the file ends.
  template <typename Entry, typename Take>
  void each(std::uint64_t offset, std::uint64_t count, Take take) const {
    Entry entry;
    for (std::uint64_t i = 0; i < count && file_.get(offset + i * sizeof entry, entry); ++i) {
      take(entry);
    }
  }

  void read_segments() {
    each<Elf64_Phdr>(header_.e_phoff, header_.e_phnum, [this](const Elf64_Phdr& segment) {
      if (segment.p_type == PT_LOAD) {
        loads_.push_back(segment);
      } else if (segment.p_type == PT_INTERP && out_.interpreter.empty()) {
        out_.interpreter = file_.string_at(segment.p_offset, kMaxText);
      } else if (segment.p_type == PT_DYNAMIC) {
        dynamic_ = segment;
      }
    });
  }

  void read_sections() {
    each<Elf64_Shdr>(header_.e_shoff, header_.e_shnum, [this](const Elf64_Shdr& section) {
      if (section.sh_type == SHT_DYNSYM) {
        dynamic_symbols_ = section.sh_size / sizeof(Elf64_Sym);
      } else if (section.sh_type == SHT_SYMTAB) {
        symbol_table_ = section;
      }
    });
  }

  // Where in the file an address is; none if it is in no segment's part of the file.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& load : loads_) {
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz) {
        return load.p_offset + (address - load.p_vaddr);
      }
    }
    return std::nullopt;
  }

  void read_dynamic() {
    std::vector<Elf64_Dyn> entries;
    const std::uint64_t most = std::min(dynamic_.p_filesz / sizeof(Elf64_Dyn), kMaxEntries);
    each<Elf64_Dyn>(dynamic_.p_offset, most,
                    [&](const Elf64_Dyn& entry) { entries.push_back(entry); });
    // What is behind DT_NULL does not count.
    const auto is_end = [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; };
    entries.erase(std::find_if(entries.begin(), entries.end(), is_end), entries.end());
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag == DT_STRTAB) {
        strings_ = entry.d_un.d_ptr;
      } else if (entry.d_tag == DT_SYMTAB) {
        symbols_ = entry.d_un.d_ptr;
      } else if (entry.d_tag == DT_HASH) {
        count_by_hash(entry.d_un.d_ptr);
      }
    }
    if (const auto strings = offset_of(strings_)) {
      for (const Elf64_Dyn& entry : entries) {
        take_name(entry.d_tag, file_.string_at(*strings + entry.d_un.d_val, kMaxText));
      }
    }
  }

  void take_name(Elf64_Sxword tag, std::string_view name) {
    if (tag == DT_NEEDED) {
      out_.needed.emplace_back(name);
    } else if (tag == DT_SONAME) {
      out_.soname = name;
    } else if (tag == DT_RPATH) {
      out_.rpath = name;
    } else if (tag == DT_RUNPATH) {
      out_.runpath = name;
    }
  }

  void count_by_hash(std::uint64_t address) {
    const auto offset = offset_of(address);
    Elf64_Word chains = 0;
    if (offset && dynamic_symbols_ == 0 && file_.get(*offset + sizeof chains, chains)) {
      dynamic_symbols_ = chains;
    }
  }

  void read_dynamic_symbols() {
    const auto symbols = offset_of(symbols_);
    const auto strings = offset_of(strings_);
    if (!symbols || !strings) {
      return;
    }
    // Without sections and DT_HASH nothing tells how many there are. Every linker puts the strings
    // behind the symbols.
    if (dynamic_symbols_ == 0 && strings_ > symbols_) {
      dynamic_symbols_ = (strings_ - symbols_) / sizeof(Elf64_Sym);
    }
    each<Elf64_Sym>(*symbols, dynamic_symbols_, [&](const Elf64_Sym& symbol) {
      take(*strings, symbol, symbol.st_shndx == SHN_UNDEF ? out_.imports : out_.exports);
    });
  }

  void read_symbol_table() {
    Elf64_Shdr strings;
    if (!file_.get(header_.e_shoff + symbol_table_.sh_link * sizeof strings, strings)) {
      return;
    }
    const std::uint64_t count = symbol_table_.sh_size / sizeof(Elf64_Sym);
    each<Elf64_Sym>(symbol_table_.sh_offset, count, [&](const Elf64_Sym& symbol) {
      if (symbol.st_shndx != SHN_UNDEF) {
        take(strings.sh_offset, symbol, out_.definitions);
      }
    });
  }

  void take(std::uint64_t strings, const Elf64_Sym& symbol, std::vector<std::string>& names) {
    const std::string_view name = file_.string_at(strings + symbol.st_name, kMaxName);
    if (!name.empty() && is_wanted_ != nullptr && is_wanted_(name)) {
      names.emplace_back(name);
    }
  }

  Bytes file_;
  SymbolFilter is_wanted_;
  ElfFile& out_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> loads_;
  Elf64_Phdr dynamic_{};  // empty without one, as the next
  Elf64_Shdr symbol_table_{};
  std::uint64_t strings_ = 0;
  std::uint64_t symbols_ = 0;
  std::uint64_t dynamic_symbols_ = 0;
};

}  // namespace

bool ElfFile::does_import(std::string_view name) const { return contains(imports, name); }
bool ElfFile::does_export(std::string_view name) const { return contains(exports, name); }
bool ElfFile::does_define(std::string_view name) const {
  return contains(exports, name) || contains(definitions, name);
}

ElfFile read_elf_bytes(std::string_view bytes, SymbolTables tables, SymbolFilter is_wanted) {
  ElfFile out;
  const Bytes file(bytes);
  Elf64_Ehdr header{};
  const bool has_header = file.get(0, header);
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) {
    out.kind = ElfFile::Kind::kNotElf;
  } else if (!has_header || header.e_ident[EI_CLASS] != ELFCLASS64 ||
             header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != kOwnMachine) {
    out.kind = ElfFile::Kind::kForeign;
  } else {
    out.kind = ElfFile::Kind::kElf;
    Reader(file, is_wanted, out).read(header, tables);
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

}  // namespace nestbind::cli::inspect
