// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loaded_libraries.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli::inspect;

TEST_CASE("Lines of libraries", "[libraries]") {
  const Listing listing = parse_listing(
      "\tlinux-vdso.so.1 (0x00007ffd)\n"
      "\tlibgomp.so.1 => /usr/lib/libgomp.so.1 (0x00007f)\n"
      "\tlibgone.so => not found\n"
      "\t/opt/with blank/lib.so (0x00007f)\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n"
      "statically linked\n");
  REQUIRE(listing.libraries.size() == 4);
  CHECK(listing.libraries[0].name == "libgomp.so.1");
  CHECK(listing.libraries[0].path == "/usr/lib/libgomp.so.1");
  CHECK(listing.libraries[1].name == "libgone.so");
  CHECK(listing.libraries[1].path.empty());
  CHECK(listing.libraries[2].path == "/opt/with blank/lib.so");
  CHECK(listing.libraries[3].name == "/lib64/ld-linux-x86-64.so.2");
  CHECK(listing.missing.empty());
}

TEST_CASE("Lines of what is missing", "[libraries]") {
  const Listing listing = parse_listing(
      "undefined symbol: omp_alloc, version OMP_5.0.1\t(./p)\n"
      "undefined symbol: plain\t(./q)\n"
      "./p: /own/libgomp.so.1: version `GOMP_99.0' not found (required by ./p)\n"
      "undefined symbol: cut off\n"
      ": version `");
  REQUIRE(listing.missing.size() == 3);
  CHECK(listing.missing[0].symbol == "omp_alloc");
  CHECK(listing.missing[0].version == "OMP_5.0.1");
  CHECK(listing.missing[0].needed_by == "./p");
  CHECK(listing.missing[1].symbol == "plain");
  CHECK(listing.missing[1].version.empty());
  CHECK(listing.missing[2].symbol.empty());
  CHECK(listing.missing[2].version == "GOMP_99.0");
  CHECK(listing.missing[2].library == "/own/libgomp.so.1");
}
