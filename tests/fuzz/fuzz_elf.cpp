// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: whatever the bytes of a program, library or loader are, their readers end, read
// nothing beyond them, and what they tell can be judged.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/inspect/link_facts.hpp"
#include "cli/inspect/loadable.hpp"
#include "cli/inspect/loader.hpp"
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
  require(text.size() < size, "a text is within the file");
  require(text.find('\0') == std::string_view::npos, "a text has no nul");
}

// Under both looks, as the program of a process and as a library of one.
void check_verdicts(const ElfFile& file) {
  Facts facts;
  facts.file = file;
  for (const Depth depth : {Depth::kQuick, Depth::kThorough}) {
    facts.depth = depth;
    const Verdict verdict = judge(facts);
    require(verdict.problems.size() <= 1, "a file has one problem at most");
    require(verdict.forks != Forks::kSeen || !verdict.hooks.empty(),
            "forks that are seen are heard of");
    require((verdict.forks == Forks::kUnseen) ==
                (!verdict.problems.empty() && verdict.problems.back().is_of_forks()),
            "what is unseen has a reason");
    facts.listing.libraries = {{"lib.so", "/lib.so", file}};
  }
}

// As a library, and as a loader.
void check_linking(std::string_view bytes) {
  const Loadable answer = loadable(bytes);
  require((answer.answer == Loadable::Answer::kNo) == !answer.fault.empty(),
          "a fault has its words");
  const LinkFacts facts = read_link_facts_bytes(bytes);
  for (const auto* list : {&facts.needed, &facts.defined}) {
    for (const VersionedSymbol& symbol : *list) {
      require(is_openmp_function(symbol.name), "only OpenMP's functions are listed");
      check_text(symbol.version, bytes.size());
    }
  }
  const Loader loader = read_loader_bytes("/ld.so", bytes);
  require(!loader.trusted.empty() && loader.trusted.front().ends_with('/'), "there are folders");
  require(!loader.lib.empty() && loader.cache.starts_with('/'), "there is a cache");
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
  for (const std::string* text : {&file.interpreter, &file.soname, &file.rpath, &file.runpath}) {
    require(text->empty() || file.kind == ElfFile::Kind::kElf, "only programs and libraries tell");
    check_text(*text, size + 1);
  }
  check_names(file.imports);
  check_names(file.exports);
  check_names(file.definitions);
  check_verdicts(file);
  check_linking(bytes);
  return 0;
}
