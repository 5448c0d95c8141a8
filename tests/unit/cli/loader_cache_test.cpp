// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loader_cache.hpp"

#include <catch2/catch.hpp>

#include "cache_file.hpp"

using namespace nestbind::cli::inspect;
using namespace cache_file;

namespace {

Hwcaps hwcaps(std::vector<std::string> levels, unsigned isa_level = 0) {
  Hwcaps hwcaps;
  hwcaps.levels = std::move(levels);
  hwcaps.isa_level = isa_level;
  return hwcaps;
}

std::string found(const Cache& cache, const std::string& name, const Hwcaps& hwcaps = {}) {
  const std::string bytes = bytes_of(cache);
  return LoaderCache(bytes).find(name, hwcaps);
}

Cache three() {
  return {{{"libc.so.6", "/c"}, {"libb.so.10", "/b10"}, {"libb.so.9", "/b9"}, {"liba.so", "/a"}},
          {}};
}

}  // namespace

TEST_CASE("Names are compared with numbers by their value", "[cache]") {
  CHECK(compare_in_cache("a", "a") == 0);
  CHECK(compare_in_cache("a", "b") < 0);
  CHECK(compare_in_cache("ab", "a") > 0);
  CHECK(compare_in_cache("", "a") < 0);
  CHECK(compare_in_cache("lib.so.9", "lib.so.10") < 0);
  CHECK(compare_in_cache("lib.so.10", "lib.so.10") == 0);
  CHECK(compare_in_cache("a1", "ab") > 0);  // a digit is behind every letter
  CHECK(compare_in_cache("ab", "a1") < 0);
  CHECK(compare_in_cache("a1", "a") > 0);
}

TEST_CASE("Libraries are found by their names", "[cache]") {
  CHECK(found(three(), "liba.so") == "/a");
  CHECK(found(three(), "libb.so.9") == "/b9");
  CHECK(found(three(), "libb.so.10") == "/b10");
  CHECK(found(three(), "libc.so.6") == "/c");
  CHECK(found(three(), "libd.so").empty());
  CHECK(found(three(), "").empty());
  CHECK(found({}, "liba.so").empty());
}

TEST_CASE("Libraries of other architectures are passed over", "[cache]") {
  const Cache cache{{{"liba.so", "/32", 0, 0x0803}, {"liba.so", "/own"}, {"liba.so", "/too"}}, {}};
  CHECK(found(cache, "liba.so") == "/own");
  CHECK(found({{{"liba.so", "/32", 0, 3}}, {}}, "liba.so").empty());
}

TEST_CASE("The best level that the processor has is taken", "[cache]") {
  const Cache cache{{{"liba.so", "/v2", level(0, 1)},
                     {"liba.so", "/v3", level(1, 2)},
                     {"liba.so", "/v4", level(2, 3)},
                     {"liba.so", "/plain"}},
                    {"x86-64-v2", "x86-64-v3", "x86-64-v4"}};
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v3", "x86-64-v2"}, 2)) == "/v3");
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v2"}, 1)) == "/v2");
  CHECK(found(cache, "liba.so") == "/plain");
  // A library in a folder of a level below its own.
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v4", "x86-64-v3"}, 2)) == "/v3");
}

TEST_CASE("Entries for single features are for loaders that know them", "[cache]") {
  constexpr std::uint64_t kFeature = 1U << 2;
  constexpr std::uint64_t kPlatform = std::uint64_t{1} << 50;
  const Cache cache{{{"liba.so", "/feature", kFeature},
                     {"liba.so", "/platform", kPlatform},
                     {"liba.so", "/plain"}},
                    {}};
  CHECK(found(cache, "liba.so") == "/plain");
  Hwcaps old;
  old.feature_bits = kFeature;
  CHECK(found(cache, "liba.so", old) == "/feature");
  old.feature_bits = old.platform_bits = kPlatform;
  CHECK(found(cache, "liba.so", old) == "/plain");
  old.platform_bit = kPlatform;
  CHECK(found(cache, "liba.so", old) == "/platform");
}

TEST_CASE("The table may be behind one of the older format", "[cache]") {
  for (const std::uint32_t entries : {0U, 1U, 2U, 3U}) {
    const std::string bytes = behind_old(bytes_of(three()), entries);
    CHECK(LoaderCache(bytes).find("libb.so.9", {}) == "/b9");
  }
  const std::string bytes = behind_old(bytes_of(three()), 3);
  CHECK(LoaderCache(bytes.substr(0, 52)).size() == 0);
}

TEST_CASE("Other files have no entries", "[cache]") {
  CHECK(LoaderCache("").size() == 0);
  CHECK(LoaderCache("ld.so-1.7.0").size() == 0);
  CHECK(LoaderCache(std::string(1000, '\0')).size() == 0);
  Cache cache = three();
  cache.flags = 3;  // big endian
  CHECK(LoaderCache(bytes_of(cache)).size() == 0);
  cache.flags = 0;  // as old versions have written it
  CHECK(LoaderCache(bytes_of(cache)).size() == 4);
}

TEST_CASE("Cut or changed anywhere, a cache is read within its bounds", "[cache]") {
  Cache cache = three();
  cache.entries.push_back({"liba.so", "/v2", level(0)});
  cache.levels = {"x86-64-v2"};
  const std::string whole = bytes_of(cache);
  const auto look = [&](const std::string& bytes) {
    // On the heap, for AddressSanitizer.
    const std::string copy(bytes.data(), bytes.size());
    for (const char* name : {"liba.so", "libb.so.9", "libc.so.6"}) {
      LoaderCache(copy).find(name, hwcaps({"x86-64-v2"}));
    }
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    look(whole.substr(0, at));
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = byte;
      look(changed);
    }
  }
  SUCCEED();
}

TEST_CASE("A level without a name serves nobody", "[cache]") {
  Cache cache{{{"liba.so", "/v2", level(7)}, {"liba.so", "/plain"}}, {"x86-64-v2"}};
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v2"})) == "/plain");
  cache.entries[0].hwcap = level(0);
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v2"})) == "/v2");
  cache.magic = 0;
  CHECK(found(cache, "liba.so", hwcaps({"x86-64-v2"})) == "/plain");
}
