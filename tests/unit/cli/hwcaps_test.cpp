// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/hwcaps.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli::inspect;
using Names = std::vector<std::string>;

namespace {

Loader loader(bool knows_levels, bool knows_features) {
  Loader loader;
  loader.knows_levels = knows_levels;
  loader.knows_features = knows_features;
  return loader;
}

const Processor kProcessor{"haswell", {"x86-64-v3", "x86-64-v2"}, 2, {"x86_64"}, 2, 1ULL << 50};

}  // namespace

TEST_CASE("A loader that knows nothing looks into the folder alone", "[hwcaps]") {
  const Hwcaps hwcaps = hwcaps_of(kProcessor, loader(false, false));
  CHECK(hwcaps.subfolders == Names{""});
  CHECK(hwcaps.levels.empty());
  CHECK(hwcaps.feature_bits == 0);
}

TEST_CASE("Levels come best first, the folder itself last", "[hwcaps]") {
  const Hwcaps hwcaps = hwcaps_of(kProcessor, loader(true, false));
  CHECK(hwcaps.subfolders == Names{"glibc-hwcaps/x86-64-v3/", "glibc-hwcaps/x86-64-v2/", ""});
  CHECK(hwcaps.levels == Names{"x86-64-v3", "x86-64-v2"});
  CHECK(hwcaps.isa_level == 2);
}

TEST_CASE("Until glibc 2.36 each set of features has a folder", "[hwcaps]") {
  const Hwcaps hwcaps = hwcaps_of(kProcessor, loader(false, true));
  CHECK(hwcaps.subfolders == Names{"tls/haswell/x86_64/", "tls/haswell/", "tls/x86_64/", "tls/",
                                   "haswell/x86_64/", "haswell/", "x86_64/", ""});
  CHECK((hwcaps.feature_bits & 2) != 0);
  CHECK(hwcaps.platform_bit == 1ULL << 50);
  Processor nameless;
  CHECK(hwcaps_of(nameless, loader(true, true)).subfolders == Names{"tls/", ""});
}

TEST_CASE("This processor", "[hwcaps]") {
  const Processor own = own_processor();
  CHECK(own.levels.size() <= 3);
#if defined(__x86_64__)
  CHECK(own.levels.size() == own.isa_level);
  CHECK(own.features.front() == "x86_64");
#endif
}
