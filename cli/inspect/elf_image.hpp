// SPDX-License-Identifier: BSD-3-Clause
// Reads the loader's tables of an ELF file. Time and memory are bounded, also for damaged files.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

struct ElfSymbols {
  std::uint64_t offset = 0;   // of the first symbol in the file
  std::uint64_t count = 0;    // in a damaged file the number may be wrong
  std::uint64_t strings = 0;  // the offset of their names in the file
};

class ElfImage {
 public:
  // Read at most this number of symbols. No real program has more.
  static constexpr std::uint64_t kMaxSymbols = 1 << 22;

  // True if the file is for this kind of machine. Do not read any other file.
  static bool is_own(Bytes file);

  explicit ElfImage(Bytes file);

  const Bytes& file() const { return file_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // Returns the entries of the dynamic section before DT_NULL.
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }
  bool has_more_dynamic() const { return has_more_dynamic_; }

  // Returns nothing if no segment has the address in the file.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;

  // Returns the file offset of a table, for example of the symbols for DT_SYMTAB.
  std::optional<std::uint64_t> offset_by(Elf64_Sxword tag) const;
  std::optional<std::uint64_t> value_of(Elf64_Sxword tag) const;

  bool has_texts() const { return strings_.has_value(); }
  // Returns a text of the dynamic string table; empty if the text is missing or longer than `most`.
  std::string_view text(std::uint64_t index, std::size_t most) const;
  bool has_text_at(std::uint64_t index) const;

  // Returns the symbols of the last section of this type, for example SHT_SYMTAB.
  std::optional<ElfSymbols> symbols_of(Elf64_Word type) const;

  // Returns the number of dynamic symbols, which may be wrong in a damaged file.
  std::uint64_t dynamic_symbols() const;

  template <typename Entry, typename Take>
  void each(std::uint64_t offset, std::uint64_t count, Take take) const {
    Entry entry;
    for (std::uint64_t i = 0; i < count && file_.get(offset + i * sizeof entry, entry); ++i) {
      take(entry);
    }
  }

 private:
  void read_dynamic();

  Bytes file_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  std::optional<std::uint64_t> strings_;
  bool has_more_dynamic_ = false;
};

}  // namespace nestbind::cli::inspect
