// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loader.hpp"

#include <catch2/catch.hpp>

#include "cli/inspect/elf.hpp"

using namespace nestbind::cli::inspect;
using Names = std::vector<std::string>;

namespace {

// Texts behind each other, as a loader has them, between others.
Loader with(const Names& texts) {
  std::string bytes("\1\2\0", 3);
  for (const std::string& text : texts) {
    bytes.append(text).push_back('\0');
  }
  return read_loader_bytes("/ld.so", bytes + "end");
}

}  // namespace

TEST_CASE("The default folders are the longest row of them", "[loader]") {
  Loader loader =
      with({"/usr/share/lib/", "", "/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib/",
            "/usr/lib/", "", "/var/lib/", "/x/lib/"});
  CHECK(loader.trusted ==
        Names{"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib/", "/usr/lib/"});
  CHECK(loader.lib == "lib/x86_64-linux-gnu");
  loader = with({"/lib64/", "/usr/lib64/"});
  CHECK(loader.trusted == Names{"/lib64/", "/usr/lib64/"});
  CHECK(loader.lib == "lib64");
  loader = with({"/nix/store/abc-glibc-2.38/lib/"});
  CHECK(loader.trusted == Names{"/nix/store/abc-glibc-2.38/lib/"});
  CHECK(loader.lib == "lib");
}

TEST_CASE("The cache is where the loader was built to look for it", "[loader]") {
  CHECK(with({"/nix/store/abc-glibc-2.38/etc/ld.so.cache"}).cache ==
        "/nix/store/abc-glibc-2.38/etc/ld.so.cache");
  CHECK(
      with({"x/ld.so.cache", "/a\x1b/ld.so.cache", "/etc/ld.so.cache~", "/b/ld.so.cache"}).cache ==
      "/b/ld.so.cache");
  CHECK(with({}).cache == "/etc/ld.so.cache");
}

TEST_CASE("What a loader knows of hardware", "[loader]") {
  CHECK_FALSE(with({}).knows_levels);
  CHECK_FALSE(with({}).knows_features);
  CHECK(with({"--glibc-hwcaps-mask"}).knows_levels);
#if defined(__x86_64__)
  CHECK(with({"avx512_1"}).knows_features);
#endif
}

TEST_CASE("A file that is none tells the usual", "[loader]") {
  const Loader none = read_loader("/no/such");
  CHECK(none.fault == "No such file or directory");
  CHECK(none.trusted == Names{"/lib64/", "/usr/lib64/"});
  CHECK(none.lib == "lib64");
  CHECK(with({"/lib2//"}).lib == "lib64");
  // Many texts that could be one, none of which is.
  std::string bytes;
  for (int i = 0; i < 100000; ++i) {
    bytes += "/ld.so.cache/lib/";
  }
  CHECK(read_loader_bytes("/ld.so", bytes).cache == "/etc/ld.so.cache");
}

TEST_CASE("This program's own loader", "[loader]") {
  const ElfFile self = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr);
  const Loader loader = read_loader(self.interpreter);
  CHECK(loader.fault.empty());
  CHECK_FALSE(loader.soname.empty());
  CHECK(loader.trusted.size() >= 1);
  CHECK(loader.cache.ends_with("/ld.so.cache"));
}
