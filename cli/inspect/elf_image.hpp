// SPDX-License-Identifier: BSD-3-Clause
// Reads the loader's tables of an ELF file. Time and memory are bounded, also for damaged files.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

// The bytes of a file. Each access is checked against the length.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::string_view all() const { return all_; }

  // Returns false if the value is not completely within the bytes.
  template <typename T>
  bool get(std::uint64_t offset, T& value) const {
    if (offset > all_.size() || all_.size() - offset < sizeof value) {
      return false;
    }
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return true;
  }

  std::string_view string_at(std::uint64_t offset, std::size_t most) const {
    const std::string_view rest = all_.substr(std::min<std::uint64_t>(offset, all_.size()), most);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
  }

 private:
  std::string_view all_;
};

// Maps only regular files: opening a device may have an effect, and opening a pipe waits.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& fault() const { return fault_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::string fault_;
};

struct ElfSymbols {
  std::uint64_t offset = 0;   // of the first symbol in the file
  std::uint64_t count = 0;    // in a damaged file the number may be wrong
  std::uint64_t strings = 0;  // the offset of their names in the file
};

class ElfImage {
 public:
  // True if the file is for this kind of machine. Do not read any other file.
  static bool is_own(Bytes file);

  explicit ElfImage(Bytes file);

  const Bytes& file() const { return file_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // Returns the entries of the dynamic section before DT_NULL.
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }

  // Returns nothing if no segment has the address in the file.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;

  // Returns the file offset of a table, for example of the symbols for DT_SYMTAB.
  std::optional<std::uint64_t> offset_by(Elf64_Sxword tag) const;
  std::optional<std::uint64_t> value_of(Elf64_Sxword tag) const;

  bool has_texts() const { return strings_.has_value(); }
  // Returns a text of the dynamic string table; empty if the text is missing or longer than `most`.
  std::string_view text(std::uint64_t index, std::size_t most) const;

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
};

}  // namespace nestbind::cli::inspect
