// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/elf.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_set>

#include "cli/inspect/elf_image.hpp"
#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

using namespace std::string_view_literals;

namespace {

// Limits above every real program's values, so that a crafted file takes little time and memory.
constexpr std::size_t kMaxText = 1 << 16;
constexpr std::size_t kMaxFileName = 4096;
constexpr std::size_t kMaxNeeded = 1024;
constexpr std::size_t kMaxNeededText = 1 << 16;  // bytes of their names together
constexpr std::size_t kMaxName = 64;  // bytes; longer than every name that is searched for
constexpr std::size_t kMaxListed = 4096;
constexpr std::size_t kMaxNodes = 1024;
constexpr std::uint64_t kMaxSymbols = ElfImage::kMaxSymbols;
constexpr std::uint64_t kMaxStrings = 1 << 30;   // bytes of symbol names
constexpr std::uint64_t kMaxSearched = 1 << 28;  // bytes of read-only data

// Two texts that every libgomp since GCC 4.4 has: a variable's name, and the beginning of messages.
// No other runtime has both texts. A program that only sets the variable has only the first text.
constexpr std::string_view kTextsOfGomp[] = {"\0GOMP_SPINCOUNT\0"sv, "\nlibgomp: \0"sv};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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
    read_nodes();
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

  void leave_out(const std::string& what) {
    if (!contains(out_.left_out, what)) {
      out_.left_out.push_back(what);
    }
  }

  void leave_out_needed(const std::string& what) {
    leave_out(what);
    out_.is_all_needed = false;
  }

  void read_dynamic() {
    if (image_.has_more_dynamic()) {
      leave_out_needed("entries of its dynamic section after the first 4096");
    }
    if (!image_.has_texts()) {
      return;
    }
    for (const Elf64_Dyn& entry : image_.dynamic()) {
      const std::uint64_t value = entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) {
        take_needed(value);
      } else if (entry.d_tag == DT_SONAME) {
        out_.soname = text_at(value, kMaxFileName);
      } else if (entry.d_tag == DT_RPATH) {
        out_.rpath = text_at(value, kMaxText);
      } else if (entry.d_tag == DT_RUNPATH) {
        out_.runpath = text_at(value, kMaxText);
        out_.has_runpath = true;
      } else if (entry.d_tag == DT_FLAGS_1) {
        is_position_independent_ = (value & DF_1_PIE) != 0;
      }
    }
  }

  std::string_view text_at(std::uint64_t index, std::size_t most) {
    const std::string_view text = image_.text(index, most);
    if (text.empty() && image_.has_text_at(index)) {
      leave_out_needed("a name or path of " + std::to_string(most) +
                       " bytes or more, or without end");
    }
    return text;
  }

  void take_needed(std::uint64_t index) {
    const std::string_view name = text_at(index, kMaxFileName);
    needed_ += 1;
    needed_text_ += name.size();
    if (needed_ > kMaxNeeded || needed_text_ > kMaxNeededText) {
      leave_out_needed("needed libraries after the first " + std::to_string(kMaxNeeded) +
                       ", or 64 KiB of their names");
      return;
    }
    out_.needed.emplace_back(name);
  }

  // `next` is the field with the distance from a record to the next record.
  template <typename Record, typename Take>
  void follow(std::optional<std::uint64_t> at, Elf64_Word Record::* next, Take take) {
    Record record{};
    while (at && image_.file().get(*at, record) && ++records_ <= kMaxNodes) {
      take(record, *at);
      at = record.*next == 0 ? std::nullopt : std::optional(*at + record.*next);
    }
  }

  // The Linux Standard Base describes the format of version nodes (symbol versioning).
  void read_nodes() {
    const auto name_at = [&](std::uint64_t index) {
      return std::string(image_.text(index, kMaxFileName));
    };
    follow(image_.offset_by(DT_VERNEED), &Elf64_Verneed::vn_next,
           [&](const Elf64_Verneed& library, std::uint64_t at) {
             follow(std::optional(at + library.vn_aux), &Elf64_Vernaux::vna_next,
                    [&](const Elf64_Vernaux& node, std::uint64_t) {
                      if ((node.vna_flags & VER_FLG_WEAK) == 0) {
                        out_.needed_nodes.push_back(
                            {name_at(library.vn_file), name_at(node.vna_name)});
                      }
                    });
           });
    follow(image_.offset_by(DT_VERDEF), &Elf64_Verdef::vd_next,
           [&](const Elf64_Verdef& node, std::uint64_t at) {
             Elf64_Verdaux name{};
             if (image_.file().get(at + node.vd_aux, name)) {
               out_.nodes.push_back(name_at(name.vda_name));
             }
           });
  }

  std::uint64_t bounded(std::uint64_t symbols) {
    const std::uint64_t there = image_.file().all().size() / sizeof(Elf64_Sym);
    if (std::min(symbols, there) > kMaxSymbols) {
      leave_out("symbols after the first " + std::to_string(kMaxSymbols));
    }
    return std::min(symbols, kMaxSymbols);
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
    image_.each<Elf64_Sym>(*symbols, bounded(image_.dynamic_symbols()),
                           [&](const Elf64_Sym& symbol) {
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
      image_.each<Elf64_Sym>(table->offset, bounded(table->count), [&](const Elf64_Sym& symbol) {
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
    bool is_whole = true;
    std::uint64_t left = contains(out_.imports, "pthread_create") ? kMaxSearched : 0;
    for (const Elf64_Phdr& segment : image_.segments()) {
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0 || left == 0) {
        continue;
      }
      const std::uint64_t begin = std::min<std::uint64_t>(segment.p_offset, all.size());
      const std::uint64_t there = std::min<std::uint64_t>(segment.p_filesz, all.size() - begin);
      const std::string_view bytes = all.substr(begin, std::min(there, left));
      is_whole = is_whole && there <= left;
      left -= bytes.size();
      for (std::size_t i = 0; i < std::size(has); ++i) {
        // string_view::find is slow: it stops at each nul, and most bytes are nul.
        has[i] = has[i] || memmem(bytes.data(), bytes.size(), kTextsOfGomp[i].data(),
                                  kTextsOfGomp[i].size()) != nullptr;
      }
    }
    out_.has_texts_of_gomp = has[0] && has[1];
    if (!is_whole && !out_.has_texts_of_gomp) {
      leave_out("read-only data after the first 256 MiB");
    }
  }

  struct Listed {
    Names& names;
    std::unordered_set<std::string_view> known;
  };

  void take(std::uint64_t strings, const Elf64_Sym& symbol, Listed& list) {
    if (symbol.st_name >= kMaxStrings) {
      leave_out("symbols with names after the first GiB of names");
      return;
    }
    const std::string_view name = image_.file().string_at(strings + symbol.st_name, kMaxName);
    if (name.empty() || !is_wanted_(name) || list.known.contains(name)) {
      return;
    }
    if (list.names.size() == kMaxListed) {
      leave_out("symbols of OpenMP after the first " + std::to_string(kMaxListed));
      return;
    }
    list.known.insert(name);
    list.names.emplace_back(name);
  }

  ElfImage image_;
  SymbolFilter is_wanted_;
  ElfFile& out_;
  std::size_t needed_ = 0;
  std::size_t needed_text_ = 0;
  std::size_t records_ = 0;
  bool is_position_independent_ = false;
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

}  // namespace nestbind::cli::inspect
