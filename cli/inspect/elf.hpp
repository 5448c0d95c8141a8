// SPDX-License-Identifier: BSD-3-Clause
// What the loader reads in the file of a program or library, and the static memory of the file:
// where it is loaded, and its large arrays. The file is 64-bit and little endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/inspect/elf_image.hpp"

namespace nestbind::cli::inspect {

struct ElfFile {
  enum class Kind {
    kUnreadable,
    kNotElf,
    kForeign,  // a file for another kind of machine
    kElf
  };
  Kind kind = Kind::kUnreadable;
  std::string fault;
  std::string interpreter;  // the dynamic loader; empty in static programs and libraries
  bool is_library = false;  // the file has no interpreter, and is not a static program
  std::string soname;
  // True if the file has DT_RPATH, which the loader searches before LD_LIBRARY_PATH. With
  // DT_RUNPATH the loader ignores DT_RPATH.
  bool has_rpath = false;
  std::vector<std::string> needed;
  std::vector<std::string> imports;  // undefined dynamic symbols that the filter wants
  std::vector<std::string> weak;
  std::vector<std::string> exports;      // defined dynamic symbols that the filter wants
  std::vector<std::string> definitions;  // defined symbols of .symtab, unless stripped
  // True if a program without .symtab has libgomp.a's texts. Set only if the caller asks for this
  // test.
  bool has_texts_of_gomp = false;

  bool does_import(std::string_view name) const;
  bool does_export(std::string_view name) const;
  bool does_define(std::string_view name) const;
};

// True for the symbols to list. If the filter is null, no symbols are listed.
using SymbolFilter = bool (*)(std::string_view);

// kAll also reads .symtab (`definitions`), which can be large.
enum class SymbolTables { kDynamic, kAll };

// Skips parts of the file that cannot be read. Throws no exception.
ElfFile read_elf(const std::string& path, SymbolTables tables, SymbolFilter is_wanted);

ElfFile read_elf_bytes(std::string_view bytes, SymbolTables tables, SymbolFilter is_wanted);

// The addresses are those in the file. `end` is larger than `begin`.
struct StaticArray {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;
};

struct StaticData {
  bool is_loaded = false;  // False if the file is no program or library of this machine.
  // The address in the file that the file's first byte would have.
  std::uint64_t origin = 0;
  std::uint64_t end = 0;  // after the last address, rounded up to a page
  // By address. If the file is stripped, only exported arrays are here.
  std::vector<StaticArray> arrays;
};

// Finds arrays of at least `least` bytes.
StaticData static_data_of(Bytes file, std::uint64_t least, std::uint64_t page_bytes);

}  // namespace nestbind::cli::inspect
