// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loaded_libraries.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "library_file.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::cli::inspect;
using Pairs = std::vector<std::pair<std::string, std::string>>;

namespace {

Pairs pairs(const Listing& listing) {
  Pairs pairs;
  for (const LoadedLibrary& library : listing.libraries) {
    pairs.emplace_back(library.name, library.path);
  }
  return pairs;
}

}  // namespace

TEST_CASE("The loader's answer is read", "[libraries]") {
  const Listing listing = listing_in(
      "ERROR: ld.so: object 'libno.so' from LD_PRELOAD cannot be preloaded: ignored.\n"
      "./a: /lib/libc.so.6: version `GLIBC_9.99' not found (required by ./a)\n"
      "\tlinux-vdso.so.1 (0x00007fbf2bd08000)\n"
      "\tliba (0x1).so => /opt/a => b/liba (0x1).so (0x00007fbf2bc15000)\n"
      "\tlibno.so => not found\n"
      "\tlibno.so => not found\n"
      "\t./libb.so (0x00007fbf2b61e000)\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007fbf2bd0a000)\n");
  CHECK(listing.fault.empty());
  REQUIRE(listing.missing.size() == 1);
  CHECK(listing.missing[0].name == "GLIBC_9.99");
  CHECK(listing.missing[0].library == "/lib/libc.so.6");
  CHECK(listing.missing[0].needed_by == "./a");
  CHECK(pairs(listing) == Pairs{{"liba (0x1).so", "/opt/a => b/liba (0x1).so"},
                                {"libno.so", ""},
                                {"./libb.so", "./libb.so"},
                                {"/lib64/ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2"}});
  CHECK(pairs(listing_in("\tstatically linked\n")).empty());
  CHECK(listing_in("\tstatically linked\n").fault.empty());
}

TEST_CASE("The loader's error is the listing's fault", "[libraries]") {
  CHECK(listing_in("./a: error while loading shared libraries: /x/liba.so: invalid ELF header\n")
            .fault == "/x/liba.so: invalid ELF header");
  CHECK_FALSE(listing_in("").fault.empty());
}

TEST_CASE("A missing loader is reported", "[libraries]") {
  const Folder folder;
  library_file::Library program;
  program.interpreter = "/no/such/ld.so";
  const std::string file = folder.file("program", library_file::bytes_of(program));
  const Listing listing = list_libraries(file, read_elf(file, SymbolTables::kDynamic, nullptr), {});
  CHECK(listing.fault == "its loader /no/such/ld.so: No such file or directory");
}

TEST_CASE("The file that dlopen would load is found", "[libraries]") {
  CHECK(find_library_file("libc.so.6").find("libc.so.6") != std::string::npos);
  CHECK(find_library_file("libnosuch.so.1").empty());
}
