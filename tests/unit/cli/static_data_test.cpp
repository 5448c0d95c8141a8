// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "cli/inspect/elf.hpp"
#include "elf_file.hpp"

using namespace nestbind::cli::inspect;
using namespace elf_file;

namespace {

constexpr std::uint64_t kPage = 4096;

// `change` is called last.
template <typename Change>
StaticData static_data_after(Change change) {
  Tables tables = program();
  for (const char* name : {"large", "also_large", "small"}) {
    tables.symbol(name, true);
    tables.symbols.back().st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    tables.symbols.back().st_value = kBase + 0x5000;
    tables.symbols.back().st_size = std::string(name) == "small" ? 8 : 0x2000;
  }
  place(tables);
  tables.segments[0].p_memsz = 0x8001;
  add_sections(tables);
  change(tables);
  return static_data_of(Bytes(bytes_of(tables)), kPage, kPage);
}

}  // namespace

TEST_CASE("A file's large arrays are found once, and where the file is loaded", "[elf]") {
  const StaticData data = static_data_after([](Tables&) {});
  CHECK(data.is_loaded);
  CHECK(data.origin == kBase);
  CHECK(data.end == kBase + 0x9000);
  REQUIRE(data.arrays.size() == 1);
  CHECK(data.arrays[0].name == "large");
  CHECK(data.arrays[0].begin == kBase + 0x5000);
  CHECK(data.arrays[0].end == kBase + 0x7000);
}

TEST_CASE("A stripped file has the arrays that it exports", "[elf]") {
  const auto strip = [](Tables& tables) {
    tables.sections[0].sh_link = 2;
    tables.sections[1].sh_type = SHT_NULL;
  };
  CHECK(static_data_after(strip).arrays.size() == 1);
}

TEST_CASE("A table of symbols that is larger than the file ends with the file", "[elf]") {
  const auto enlarge = [](Tables& tables) {
    tables.sections[1].sh_size = std::uint64_t{1} << 60;
    tables.segments[0].p_memsz = UINT64_MAX;
  };
  const StaticData data = static_data_after(enlarge);
  REQUIRE_FALSE(data.arrays.empty());
  CHECK(data.arrays[0].end == kBase + 0x7000);
}

TEST_CASE("Damaged tables have no arrays", "[elf]") {
  const auto mislead = [](Tables& tables) {
    tables.sections[0].sh_link = tables.sections[1].sh_link = 0xffffffff;
  };
  CHECK(static_data_after(mislead).arrays.empty());
  const auto leave = [](Tables& tables) { tables.header.e_shoff = UINT64_MAX; };
  CHECK(static_data_after(leave).arrays.empty());
  const auto wrap = [](Tables& tables) {
    for (Elf64_Sym& symbol : tables.symbols) {
      symbol.st_size = UINT64_MAX;
    }
  };
  CHECK(static_data_after(wrap).arrays.empty());
  CHECK_FALSE(static_data_of(Bytes("no program"), kPage, kPage).is_loaded);
}
