// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loadable.hpp"

#include <catch2/catch.hpp>

#include "library_file.hpp"

using namespace nestbind::cli::inspect;
using Answer = Loadable::Answer;

namespace {

// A library with a byte of its header changed.
Loadable changed(std::size_t at, char byte) {
  std::string bytes = library_file::bytes_of({});
  bytes[at] = byte;
  return loadable(bytes);
}

}  // namespace

TEST_CASE("A library is loaded", "[loadable]") {
  CHECK(loadable(library_file::bytes_of({})).answer == Answer::kYes);
  CHECK(changed(EI_OSABI, ELFOSABI_GNU).answer == Answer::kYes);
}

TEST_CASE("Libraries for others are passed over", "[loadable]") {
  CHECK(changed(EI_CLASS, ELFCLASS32).answer == Answer::kOther);
  CHECK(changed(offsetof(Elf64_Ehdr, e_machine), '\x16').answer == Answer::kOther);
}

TEST_CASE("At what is none, the loader stops", "[loadable]") {
  const auto check = [](const Loadable& found, const char* fault) {
    CHECK(found.answer == Answer::kNo);
    CHECK(found.fault == fault);
  };
  check(loadable(""), "file too short");
  check(loadable("\177ELF"), "file too short");
  check(loadable(std::string(1000, 'x')), "invalid ELF header");
  check(changed(EI_DATA, ELFDATA2MSB), "ELF file data encoding not little-endian");
  check(changed(EI_VERSION, 2), "ELF file version ident does not match current one");
  check(changed(EI_OSABI, 9), "ELF file OS ABI invalid");
  check(changed(EI_ABIVERSION, 1), "ELF file ABI version invalid");
  check(changed(EI_PAD, 1), "nonzero padding in e_ident");
  check(changed(offsetof(Elf64_Ehdr, e_version), 2), "ELF file version does not match current one");
  check(changed(offsetof(Elf64_Ehdr, e_type), ET_REL), "only ET_DYN and ET_EXEC can be loaded");
  check(changed(offsetof(Elf64_Ehdr, e_phentsize), 1),
        "ELF file's phentsize not the expected size");
  check(changed(offsetof(Elf64_Ehdr, e_type), ET_EXEC), "cannot dynamically load executable");
  check(changed(sizeof(Elf64_Ehdr), PT_NOTE), "object file has no loadable segments");
  check(changed(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), PT_NOTE),
        "object file has no dynamic section");
  library_file::Library program;
  program.flags = DF_1_PIE;
  check(loadable(library_file::bytes_of(program)),
        "cannot dynamically load position-independent executable");
}

TEST_CASE("Cut anywhere, a library is judged", "[loadable]") {
  const std::string whole = library_file::bytes_of({{{DT_NEEDED, "a"}}, "", 0});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut(whole, 0, length);
    CHECK(loadable(cut).answer != Answer::kOther);
  }
}
