// SPDX-License-Identifier: BSD-3-Clause
// After the System V gABI, chapters 4 and 5, and elf(5).
#include "cli/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <optional>

#include "cli/mapped_file.hpp"

namespace nestbind::cli {

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

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Reader {
 public:
  Reader(const MappedFile& file, const SymbolFilter& is_wanted, ElfFile& out)
      : file_(file), is_wanted_(is_wanted), out_(out) {}

  void read(const Elf64_Ehdr& header, SymbolTables tables) {
    header_ = header;
    read_segments();
    read_sections();
    read_dynamic();
    read_dynamic_symbols();
    if (tables == SymbolTables::kAll && symbol_table_) {
      read_symbol_table(*symbol_table_);
    }
  }

 private:
  void read_segments() {
    for (std::uint64_t i = 0; i < header_.e_phnum; ++i) {
      Elf64_Phdr segment;
      if (!file_.get(header_.e_phoff + i * sizeof segment, segment)) {
        return;
      }
      if (segment.p_type == PT_LOAD) {
        loads_.push_back(segment);
      } else if (segment.p_type == PT_INTERP) {
        out_.interpreter = file_.string_at(segment.p_offset);
      } else if (segment.p_type == PT_DYNAMIC) {
        dynamic_ = segment;
      }
    }
  }

  void read_sections() {
    for (std::uint64_t i = 0; i < header_.e_shnum; ++i) {
      Elf64_Shdr section;
      if (!section_at(i, section)) {
        return;
      }
      if (section.sh_type == SHT_DYNSYM) {
        dynamic_symbols_ = section.sh_size / sizeof(Elf64_Sym);
      } else if (section.sh_type == SHT_SYMTAB) {
        symbol_table_ = section;
      }
    }
  }

  bool section_at(std::uint64_t index, Elf64_Shdr& section) const {
    return file_.get(header_.e_shoff + index * sizeof section, section);
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
    if (!dynamic_) {
      return;
    }
    std::vector<Elf64_Dyn> entries;
    for (std::uint64_t at = 0; at < dynamic_->p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      if (!file_.get(dynamic_->p_offset + at, entry) || entry.d_tag == DT_NULL) {
        break;
      }
      entries.push_back(entry);
      if (entry.d_tag == DT_STRTAB) {
        strings_ = entry.d_un.d_ptr;
      } else if (entry.d_tag == DT_SYMTAB) {
        symbols_ = entry.d_un.d_ptr;
      } else if (entry.d_tag == DT_HASH) {
        count_by_hash(entry.d_un.d_ptr);
      }
    }
    const auto strings = offset_of(strings_);
    for (const Elf64_Dyn& entry : entries) {
      if (strings) {
        take_name(entry.d_tag, file_.string_at(*strings + entry.d_un.d_val));
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
    for (std::uint64_t i = 0; i < dynamic_symbols_; ++i) {
      Elf64_Sym symbol;
      if (!file_.get(*symbols + i * sizeof symbol, symbol)) {
        return;
      }
      take(*strings, symbol, symbol.st_shndx == SHN_UNDEF ? out_.imports : out_.exports);
    }
  }

  void read_symbol_table(const Elf64_Shdr& table) {
    Elf64_Shdr strings;
    if (!section_at(table.sh_link, strings)) {
      return;
    }
    for (std::uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!file_.get(table.sh_offset + at, symbol)) {
        return;
      }
      if (symbol.st_shndx != SHN_UNDEF) {
        take(strings.sh_offset, symbol, out_.definitions);
      }
    }
  }

  void take(std::uint64_t strings, const Elf64_Sym& symbol, std::vector<std::string>& names) {
    const std::string_view name = file_.string_at(strings + symbol.st_name);
    if (!name.empty() && is_wanted_(name)) {
      names.emplace_back(name);
    }
  }

  const MappedFile& file_;
  const SymbolFilter& is_wanted_;
  ElfFile& out_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> loads_;
  std::optional<Elf64_Phdr> dynamic_;
  std::optional<Elf64_Shdr> symbol_table_;
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

ElfFile read_elf(const std::string& path, SymbolTables tables, const SymbolFilter& is_wanted) {
  ElfFile out;
  const MappedFile file(path);
  if (!file.fault().empty()) {
    out.fault = file.fault();
    return out;
  }
  Elf64_Ehdr header{};
  const bool has_header = file.get(0, header);
  if (file.bytes().substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) {
    out.kind = ElfFile::Kind::kNotElf;
    return out;
  }
  if (!has_header || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != kOwnMachine) {
    out.kind = ElfFile::Kind::kForeign;
    return out;
  }
  out.kind = ElfFile::Kind::kElf;
  Reader(file, is_wanted, out).read(header, tables);
  return out;
}

Script read_script(const std::string& path) {
  const MappedFile file(path);
  std::string_view line = file.bytes();
  if (line.substr(0, 2) != "#!") {
    return {};
  }
  line = line.substr(2, line.find('\n') - 2);
  const auto trim = [](std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos
               ? std::string_view{}
               : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  };
  line = trim(line);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  return {std::string(line.substr(0, end)), std::string(trim(line.substr(end)))};
}

}  // namespace nestbind::cli
