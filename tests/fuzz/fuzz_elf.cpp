// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: reads the input as an ELF file. The reader must end, and must not read outside of the
// input. judge() must accept the result.
#include <elf.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/verdict.hpp"

namespace {

using namespace nestbind::cli::inspect;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    require(is_openmp_symbol(name), "only symbols that were asked for are listed");
  }
}

void check_text(std::string_view text, std::size_t size) {
  require(text.size() < size, "a text is shorter than the file");
  require(text.find('\0') == std::string_view::npos, "a text has no nul");
}

void check_verdicts(const ElfFile& file) {
  Facts facts;
  facts.file = file;
  for (const Depth depth : {Depth::kQuick, Depth::kThorough}) {
    facts.depth = depth;
    const Verdict verdict = judge(facts);
    require(verdict.problems.size() <= 1, "a file has one problem at most");
    require(verdict.forks != Forks::kSeen || !verdict.hooks.empty(),
            "if forks are seen, there is a hook that sees them");
    require((verdict.forks == Forks::kUnseen) ==
                (!verdict.problems.empty() && verdict.problems.back().is_of_forks()),
            "if forks are not seen, there is a reason");
    facts.listing.libraries = {{"lib.so", "/lib.so", file}};
  }
}

void check_linking(const ElfFile& file) {
  const Listing listing{{{"lib.so", "/lib.so", file}}, ""};
  for (const Missing& missing : find_missing("/program", file, listing)) {
    require(!missing.library.empty() || is_openmp_function(missing.name),
            "only OpenMP's functions and nodes are missing");
    require(!file.does_export(missing.name) || !missing.library.empty(),
            "a function that the program has is not missing");
  }
  judge_on_llvm("/program", file, listing, "/folder");
}

void check_static_data(std::string_view bytes) {
  constexpr std::uint64_t kLeast = 64;
  std::uint64_t last = 0;
  const StaticData data = static_data_of(Bytes(bytes), kLeast, 4096);
  require(data.arrays.size() <= bytes.size() / sizeof(Elf64_Sym), "each array has a symbol");
  for (const StaticArray& array : data.arrays) {
    require(array.begin >= last && array.end - array.begin >= kLeast && array.end > array.begin,
            "arrays are large, and sorted by address");
    last = array.begin;
    check_text(array.name, bytes.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ElfFile some = read_elf_bytes(bytes, SymbolTables::kDynamic, is_openmp_symbol);
  const ElfFile file = read_elf_bytes(bytes, SymbolTables::kAll, is_openmp_symbol);
  require(file.kind != ElfFile::Kind::kUnreadable, "bytes are readable");
  require(some.imports == file.imports && some.exports == file.exports && some.definitions.empty(),
          "the symbol table adds to the dynamic one");
  for (const std::string& needed : file.needed) {
    check_text(needed, size);
  }
  for (const std::string* text : {&file.interpreter, &file.soname}) {
    require(text->empty() || file.kind == ElfFile::Kind::kElf,
            "only programs and libraries have these texts");
    check_text(*text, size + 1);
  }
  check_names(file.imports);
  check_names(file.exports);
  check_names(file.definitions);
  check_verdicts(file);
  check_linking(file);
  check_static_data(bytes);
  return 0;
}
