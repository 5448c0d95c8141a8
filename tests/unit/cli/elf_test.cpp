// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/elf.hpp"

#include <catch2/catch.hpp>
#include <cstdio>

#include "cli/inspect/openmp_symbols.hpp"
#include "elf_file.hpp"
#include "library_file.hpp"

using namespace nestbind::cli::inspect;
using namespace elf_file;

using Names = std::vector<std::string>;

namespace {

ElfFile read(const std::string& bytes, SymbolTables tables = SymbolTables::kDynamic) {
  return read_elf_bytes(bytes, tables, is_openmp_symbol);
}

// `change` is called after place().
template <typename Change>
ElfFile read_changed(Change change, SymbolTables symbols = SymbolTables::kAll) {
  Tables tables = program();
  place(tables);
  add_sections(tables);
  change(tables);
  return read(bytes_of(tables), symbols);
}

}  // namespace

TEST_CASE("All facts of a whole ELF file are read", "[elf]") {
  const ElfFile file = read_changed([](Tables&) {});
  CHECK(file.kind == ElfFile::Kind::kElf);
  CHECK(file.interpreter == "/lib64/ld-linux-x86-64.so.2");
  CHECK(file.needed == Names{"libgomp.so.1"});
  CHECK_FALSE(file.has_rpath);
  CHECK(file.imports == Names{"GOMP_parallel"});
  CHECK(file.exports == Names{"pomp_parallel_begin_"});
  CHECK(file.definitions == Names{"pomp_parallel_begin_"});
  CHECK(uses_gomp(file) == Uses::kImports);
  CHECK(uses_pomp(file) == Uses::kDefines);
}

TEST_CASE("The link editor's table is read only if it is asked for", "[elf]") {
  CHECK(read_changed([](Tables&) {}, SymbolTables::kDynamic).definitions.empty());
}

TEST_CASE("Without sections, the dynamic symbols end at the string table", "[elf]") {
  const ElfFile file = read_changed([](Tables& tables) { tables.header.e_shnum = 0; });
  CHECK(file.imports == Names{"GOMP_parallel"});
  CHECK(file.exports == Names{"pomp_parallel_begin_"});
  CHECK(file.definitions.empty());
}

TEST_CASE("DT_HASH gives the number of symbols if there are no sections", "[elf]") {
  Tables tables = program();
  const std::uint32_t hash = tables.string(std::string("\1\0\0\0\2\0\0\0", 8));
  tables.dynamic.insert(tables.dynamic.end() - 1, {DT_HASH, {0}});
  place(tables);
  tables.dynamic[4].d_un.d_ptr = kBase + strings_of(tables) + hash;
  const ElfFile file = read(bytes_of(tables));
  CHECK(file.imports == Names{"GOMP_parallel"});
  CHECK(file.exports.empty());
}

TEST_CASE("Other files are recognised by their first bytes", "[elf]") {
  CHECK(read("").kind == ElfFile::Kind::kNotElf);
  CHECK(read("#!/bin/sh\n").kind == ElfFile::Kind::kNotElf);
  CHECK(read("\177EL").kind == ElfFile::Kind::kNotElf);
  CHECK(read("\177ELF").kind == ElfFile::Kind::kForeign);
  const auto changed = [](auto change) { return read_changed(change).kind; };
  CHECK(changed([](Tables& tables) { tables.header.e_ident[EI_CLASS] = ELFCLASS32; }) ==
        ElfFile::Kind::kForeign);
  CHECK(changed([](Tables& tables) { tables.header.e_ident[EI_DATA] = ELFDATA2MSB; }) ==
        ElfFile::Kind::kForeign);
  CHECK(changed([](Tables& tables) { tables.header.e_machine = EM_S390; }) ==
        ElfFile::Kind::kForeign);
}

TEST_CASE("A file that is cut anywhere gives only parts of the whole file's facts", "[elf]") {
  Tables tables = program();
  place(tables);
  add_sections(tables);
  const std::string whole = bytes_of(tables);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // AddressSanitizer notices reads after the end of heap memory.
    const ElfFile file = read(std::string(whole, 0, length), SymbolTables::kAll);
    CAPTURE(length);
    CHECK(file.needed.size() <= 1);
    CHECK(file.imports.size() <= 1);
    CHECK(file.exports.size() <= 1);
    CHECK((file.kind == ElfFile::Kind::kElf) == (length >= sizeof(Elf64_Ehdr)));
  }
}

TEST_CASE("Libgomp's texts are searched for if there is no symbol table", "[elf]") {
  const std::string nul(1, '\0');
  const std::string variable = nul + "GOMP_SPINCOUNT" + nul;
  const std::string message = "\nlibgomp: " + nul;
  const auto has = [](const std::string& texts, auto change) {
    Tables tables = program();
    tables.symbol("pthread_create", false);
    tables.string(texts);
    place(tables);
    change(tables);
    return read(bytes_of(tables), SymbolTables::kAll);
  };
  const auto nothing = [](Tables&) {};
  CHECK(has(variable + message, nothing).has_texts_of_gomp);
  CHECK_FALSE(has(variable, nothing).has_texts_of_gomp);
  CHECK_FALSE(has(message, nothing).has_texts_of_gomp);
  CHECK_FALSE(has("xGOMP_SPINCOUNT" + nul + message, nothing).has_texts_of_gomp);
  CHECK_FALSE(has(variable + message, add_sections).has_texts_of_gomp);
  CHECK_FALSE(has(variable + message, [](Tables& tables) {
                tables.segments[0].p_flags = PF_R | PF_W;
              }).has_texts_of_gomp);
  CHECK_FALSE(has(variable + message, [](Tables& tables) {
                tables.symbols.back().st_name = 0;
              }).has_texts_of_gomp);
  CHECK(has(variable + message, [](Tables& tables) {
          tables.segments[0].p_filesz = UINT64_MAX;
        }).has_texts_of_gomp);
  CHECK_FALSE(has(variable + message, [](Tables& tables) {
                tables.segments[0].p_offset = UINT64_MAX;
              }).has_texts_of_gomp);
}

TEST_CASE("Tables beyond the file are left out", "[elf]") {
  constexpr std::uint64_t kFar[] = {1 << 20, UINT64_MAX, UINT64_MAX - 7, std::uint64_t{1} << 63};
  for (const std::uint64_t far : kFar) {
    CAPTURE(far);
    ElfFile file = read_changed([&](Tables& tables) { tables.header.e_phoff = far; });
    CHECK(file.interpreter.empty());
    CHECK(file.needed.empty());
    CHECK(file.imports.empty());
    file = read_changed([&](Tables& tables) { tables.header.e_shoff = far; });
    CHECK(file.definitions.empty());
    CHECK(file.imports.size() == 1);
    file = read_changed([&](Tables& tables) { tables.segments[1].p_offset = far; });
    CHECK(file.interpreter.empty());
    file = read_changed([&](Tables& tables) { tables.segments[2].p_offset = far; });
    CHECK(file.needed.empty());
    file = read_changed([&](Tables& tables) { tables.dynamic[2].d_un.d_ptr = far; });
    CHECK(file.needed.empty());
    file = read_changed([&](Tables& tables) { tables.dynamic[0].d_un.d_val = far; });
    CHECK(file.needed.size() == 1);
    file = read_changed([&](Tables& tables) { tables.segments[0].p_offset = far; });
    CHECK(file.imports.empty());
    file = read_changed([&](Tables& tables) { tables.sections[1].sh_offset = far; });
    CHECK(file.definitions.empty());
    file = read_changed([&](Tables& tables) { tables.sections[1].sh_link = 0xFFFFFFFF; });
    CHECK(file.definitions.empty());
    file = read_changed([&](Tables& tables) { tables.symbols[1].st_name = 0xFFFFFFFF; });
    CHECK(file.imports.empty());
  }
}

TEST_CASE("Impossible counts are limited by the end of the file", "[elf]") {
  const ElfFile file = read_changed([](Tables& tables) {
    tables.header.e_phnum = 0xFFFF;
    tables.header.e_shnum = 0xFFFF;
    tables.segments[2].p_filesz = UINT64_MAX;
    tables.sections[0].sh_size = UINT64_MAX;
    tables.sections[1].sh_size = UINT64_MAX;
  });
  CHECK(file.needed == Names{"libgomp.so.1"});
  CHECK(file.imports.size() >= 1);
}

TEST_CASE("Names without an end, or longer than any wanted name, are left out", "[elf]") {
  ElfFile file = read_changed([](Tables& tables) {
    tables.sections.clear();
    tables.header.e_shnum = 0;
    tables.strings.back() = 'x';
  });
  CHECK(file.interpreter.empty());
  Tables tables = program();
  tables.symbol("GOMP_parallel" + std::string(1000, 'x'), true);
  place(tables);
  file = read(bytes_of(tables));
  CHECK(file.exports == Names{"pomp_parallel_begin_"});
}

TEST_CASE("A damaged dynamic section does not give a huge number of names", "[elf]") {
  Tables tables = program();
  place(tables);
  std::string bytes = bytes_of(tables);
  Elf64_Phdr dynamic = tables.segments[2];
  dynamic.p_offset = bytes.size();
  constexpr std::size_t kEntries = 100000;
  dynamic.p_filesz = kEntries * sizeof(Elf64_Dyn);
  std::vector<Elf64_Dyn> entries(kEntries, tables.dynamic[0]);
  entries[0] = tables.dynamic[2];
  bytes.append(reinterpret_cast<const char*>(entries.data()), dynamic.p_filesz);
  std::memcpy(bytes.data() + kSegments + 2 * sizeof dynamic, &dynamic, sizeof dynamic);
  const ElfFile file = read(bytes);
  CHECK(file.needed.size() > 1000);
  CHECK(file.needed.size() < 10000);
}

TEST_CASE("DT_RUNPATH disables DT_RPATH", "[elf]") {
  const auto has_rpath = [](const std::vector<std::pair<std::int64_t, std::string>>& texts) {
    return read(library_file::bytes_of({texts, "", 0})).has_rpath;
  };
  CHECK(has_rpath({{DT_RPATH, "/old"}}));
  CHECK_FALSE(has_rpath({{DT_RPATH, "/old"}, {DT_RUNPATH, "/new"}}));
  CHECK_FALSE(has_rpath({{DT_RUNPATH, "/new"}}));
}

TEST_CASE("Facts of this machine's own files are read", "[elf]") {
  const ElfFile self = read_elf("/proc/self/exe", SymbolTables::kAll, [](std::string_view name) {
    return name == "main" || name == "puts" || name == "memcpy";
  });
  REQUIRE(self.kind == ElfFile::Kind::kElf);
  CHECK_FALSE(self.interpreter.empty());
  CHECK(std::find(self.needed.begin(), self.needed.end(), "libc.so.6") != self.needed.end());
  CHECK(self.does_define("main"));
  CHECK(self.soname.empty());
  CHECK(read_elf("/proc/self/exe", SymbolTables::kAll, nullptr).definitions.empty());
  CHECK(read_elf("/", SymbolTables::kAll, nullptr).fault == "Is a directory");
  CHECK(read_elf("/dev/null", SymbolTables::kAll, nullptr).fault == "Not a regular file");
  const ElfFile none = read_elf("/no/such/file", SymbolTables::kAll, nullptr);
  CHECK(none.kind == ElfFile::Kind::kUnreadable);
  CHECK(none.fault == "No such file or directory");
}
