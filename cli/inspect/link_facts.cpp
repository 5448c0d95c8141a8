// SPDX-License-Identifier: BSD-3-Clause
// After the symbol versioning chapter of the Linux Standard Base, and glibc's elf/dl-version.c.
#include "cli/inspect/link_facts.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "cli/inspect/elf_image.hpp"
#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/openmp_symbols.hpp"

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMaxName = 128;
constexpr std::uint64_t kMaxRecords = 1 << 14;
constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kMaxListed = 4096;
constexpr std::uint64_t kMaxSymbols = 1 << 22;

constexpr Elf64_Half kHidden = 0x8000;
constexpr Elf64_Half kIndex = 0x7FFF;
constexpr Elf64_Half kGlobal = 1;  // as 0 (local), an index without a version

class Reader {
 public:
  Reader(Bytes file, LinkFacts& out) : image_(file), out_(out) {}

  void read() {
    read_needed_nodes();
    read_nodes();
    read_symbols();
  }

 private:
  bool is_within(std::uint64_t count, std::uint64_t most) {
    out_.is_whole &= count <= most;
    return count <= most;
  }

  // Calls `take` with each record of a chain and its place, until the chain, the file or the bound
  // ends. next: where a record says how far the next one is.
  template <typename Record, typename Take>
  void follow(std::optional<std::uint64_t> at, Elf64_Word Record::* next, Take take) {
    Record record{};
    while (at && image_.file().get(*at, record) && is_within(++records_, kMaxRecords)) {
      take(record, *at);
      at = record.*next == 0 ? std::nullopt : std::optional(*at + record.*next);
    }
  }

  std::string name_at(std::uint64_t index) const {
    return std::string(image_.text(index, kMaxName));
  }

  void read_needed_nodes() {
    follow(image_.offset_by(DT_VERNEED), &Elf64_Verneed::vn_next,
           [&](const Elf64_Verneed& library, std::uint64_t at) {
             follow(std::optional(at + library.vn_aux), &Elf64_Vernaux::vna_next,
                    [&](const Elf64_Vernaux& node, std::uint64_t) {
                      take_needed(name_at(library.vn_file), node);
                    });
           });
  }

  void take_needed(const std::string& library, const Elf64_Vernaux& node) {
    if (is_within(out_.needed_nodes.size() + 1, kMaxNodes)) {
      const bool is_weak = (node.vna_flags & VER_FLG_WEAK) != 0;
      out_.needed_nodes.push_back({library, name_at(node.vna_name), is_weak});
      versions_.emplace(node.vna_other & kIndex, Version{out_.needed_nodes.back().node, library});
    }
  }

  void read_nodes() {
    const auto first = image_.offset_by(DT_VERDEF);
    out_.has_nodes = first.has_value();
    follow(first, &Elf64_Verdef::vd_next, [&](const Elf64_Verdef& node, std::uint64_t at) {
      Elf64_Verdaux name{};
      if (image_.file().get(at + node.vd_aux, name) &&
          is_within(out_.nodes.size() + 1, kMaxNodes)) {
        out_.nodes.insert(name_at(name.vda_name));
        if ((node.vd_flags & VER_FLG_BASE) == 0) {
          versions_.emplace(node.vd_ndx & kIndex, Version{name_at(name.vda_name), ""});
        }
      }
    });
  }

  void read_symbols() {
    const auto symbols = image_.offset_by(DT_SYMTAB);
    if (!symbols) {
      return;
    }
    const auto versions = image_.offset_by(DT_VERSYM);
    out_.has_versions = versions.has_value();
    std::uint64_t index = 0;
    image_.each<Elf64_Sym>(*symbols, std::min(image_.dynamic_symbols(), kMaxSymbols),
                           [&](const Elf64_Sym& symbol) {
                             Elf64_Half version = kGlobal;
                             if (versions) {
                               image_.file().get(*versions + index * sizeof version, version);
                             }
                             take(symbol, version);
                             ++index;
                           });
  }

  void take(const Elf64_Sym& symbol, Elf64_Half version) {
    const std::string_view name = image_.text(symbol.st_name, kMaxName);
    const bool is_defined = symbol.st_shndx != SHN_UNDEF;
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    std::vector<VersionedSymbol>& list = is_defined ? out_.defined : out_.needed;
    if (!is_openmp_function(name) || binding == STB_LOCAL || (!is_defined && binding == STB_WEAK) ||
        !is_within(list.size() + 1, kMaxListed)) {
      return;
    }
    const auto found = versions_.find(version & kIndex);
    const Version node = found == versions_.end() ? Version{} : found->second;
    list.push_back({std::string(name), node.name, node.library, (version & kHidden) != 0});
  }

  struct Version {
    std::string name;
    std::string library;
  };

  ElfImage image_;
  LinkFacts& out_;
  std::unordered_map<Elf64_Half, Version> versions_;  // by their index in this file
  std::uint64_t records_ = 0;
};

}  // namespace

LinkFacts read_link_facts_bytes(std::string_view bytes) {
  LinkFacts out;
  if (ElfImage::is_own(Bytes(bytes))) {
    Reader(Bytes(bytes), out).read();
  }
  return out;
}

LinkFacts read_link_facts(const std::string& path) {
  return read_link_facts_bytes(MappedFile(path).bytes());
}

}  // namespace nestbind::cli::inspect
