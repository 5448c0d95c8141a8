// SPDX-License-Identifier: BSD-3-Clause
// The tables of an ELF file by which the loader finds all others. Of a damaged file: what can be
// read of them, in bounded time and memory.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

class ElfImage {
 public:
  // Of the command's own class, byte order and machine: nobody else's tables are read.
  static bool is_own(Bytes file);

  explicit ElfImage(Bytes file);

  const Bytes& file() const { return file_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // The dynamic section, until DT_NULL.
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }
  bool has_more_dynamic() const { return has_more_dynamic_; }  // than are read

  // Where in the file an address is; none if it is in no segment's part of the file.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;

  // Where in the file is what an entry of the dynamic section leads to (DT_SYMTAB and the like).
  std::optional<std::uint64_t> offset_by(Elf64_Sxword tag) const;
  std::optional<std::uint64_t> value_of(Elf64_Sxword tag) const;

  bool has_texts() const { return strings_.has_value(); }
  // A text of the dynamic section's table; empty without one, or where it is longer than `most`.
  std::string_view text(std::uint64_t index, std::size_t most) const;
  bool has_text_at(std::uint64_t index) const;  // one that is not empty, of whatever length

  // How many dynamic symbols there are, as far as that can be told.
  std::uint64_t dynamic_symbols() const;

  // Calls `take` for each of `count` entries of a table, until the file ends.
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
