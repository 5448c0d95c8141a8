// SPDX-License-Identifier: BSD-3-Clause
// What the loader will do with a program or library, as its file says. 64-bit, little endian.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

// A version node that a file needs of a library, as DT_NEEDED names it.
struct VersionNode {
  std::string library;
  std::string node;
};

struct ElfFile {
  enum class Kind {
    kUnreadable,  // `fault` says why
    kNotElf,      // a script, or some other file
    kForeign,     // of another class, byte order or processor than this command
    kElf
  };
  Kind kind = Kind::kUnreadable;
  std::string fault;
  std::string interpreter;  // the dynamic loader; empty in static programs and libraries
  bool is_library = false;  // has no interpreter, and is not a static program
  std::string soname;
  std::string rpath;                 // DT_RPATH, which the loader searches before LD_LIBRARY_PATH
  std::string runpath;               // DT_RUNPATH, which it searches after
  bool has_runpath = false;          // if true, DT_RPATH is ignored, even if DT_RUNPATH is empty
  std::vector<std::string> needed;   // in order
  std::vector<std::string> imports;  // undefined dynamic symbols that the filter wants
  std::vector<std::string> weak;     // the imports that may be missing
  std::vector<std::string> exports;  // defined dynamic symbols that the filter wants
  std::vector<std::string> definitions;  // defined symbols of .symtab, unless stripped
  std::vector<VersionNode> needed_nodes;
  std::vector<std::string> nodes;  // version nodes that it defines; none: it matches any
  // For a program without .symtab, if asked for: it contains the texts of a libgomp.a.
  bool has_texts_of_gomp = false;
  // The parts left out because the file is too large: "needed libraries after the first 1024".
  std::vector<std::string> left_out;
  bool is_all_needed = true;  // false: the left-out parts include libraries

  bool does_import(std::string_view name) const;
  bool does_export(std::string_view name) const;
  bool does_define(std::string_view name) const;  // dynamic or in .symtab
};

// Whether a symbol of this name is to be listed; null: none is.
using SymbolFilter = bool (*)(std::string_view);

// kAll also reads .symtab (`definitions`), which can be large.
enum class SymbolTables { kDynamic, kAll };

// Never throws on a damaged file: the unreadable parts are left out.
ElfFile read_elf(const std::string& path, SymbolTables tables, SymbolFilter is_wanted);

// The same for a file in memory, which is never unreadable.
ElfFile read_elf_bytes(std::string_view bytes, SymbolTables tables, SymbolFilter is_wanted);

}  // namespace nestbind::cli::inspect
