// SPDX-License-Identifier: BSD-3-Clause
// What the loader will make of a program or library, read from its file. 64-bit, little endian.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

// A version node that is needed of a library, as DT_NEEDED has it.
struct VersionNode {
  std::string library;
  std::string node;
};

struct ElfFile {
  enum class Kind {
    kUnreadable,  // `fault` says why
    kNotElf,      // a script, or something else altogether
    kForeign,     // of another class, byte order or processor than this command
    kElf
  };
  Kind kind = Kind::kUnreadable;
  std::string fault;
  std::string interpreter;  // the dynamic loader; empty in static programs and libraries
  bool is_library = false;  // has no loader, and is no static program
  std::string soname;
  std::string rpath;                 // DT_RPATH, which the loader searches before LD_LIBRARY_PATH
  std::string runpath;               // DT_RUNPATH, which it searches after
  bool has_runpath = false;          // which puts DT_RPATH out of force, even if it is empty
  std::vector<std::string> needed;   // in order
  std::vector<std::string> imports;  // undefined dynamic symbols that were asked for
  std::vector<std::string> weak;     // of these, those that may be missing
  std::vector<std::string> exports;  // defined dynamic symbols that were asked for
  std::vector<std::string> definitions;  // symbols of the link editor's table, if not stripped
  std::vector<VersionNode> needed_nodes;
  std::vector<std::string> nodes;  // version nodes that it defines; none: it serves any
  // Of a program without that table, if it is asked for: a libgomp.a's texts are in it.
  bool has_texts_of_gomp = false;
  // What was left out because there is more of it than is read: "needed libraries after the
  // first 1024".
  std::vector<std::string> left_out;
  bool is_all_needed = true;  // false: libraries are among what was left out

  bool does_import(std::string_view name) const;
  bool does_export(std::string_view name) const;
  bool does_define(std::string_view name) const;  // dynamic or not
};

// Which symbols are to be listed, by name; null: none.
using SymbolFilter = bool (*)(std::string_view);

// Whether the symbol table is searched too (`definitions`): it can be large.
enum class SymbolTables { kDynamic, kAll };

// Never throws on a damaged file: what cannot be read of it is left out.
ElfFile read_elf(const std::string& path, SymbolTables tables, SymbolFilter is_wanted);

// The same of a file in memory, which is never unreadable.
ElfFile read_elf_bytes(std::string_view bytes, SymbolTables tables, SymbolFilter is_wanted);

}  // namespace nestbind::cli::inspect
