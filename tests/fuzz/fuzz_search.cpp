// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: what says where libraries are. By the first byte a cache of the loader's, a list of
// folders, a list of preloads, or any text that is to be shown.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/inspect/hwcaps.hpp"
#include "cli/inspect/loader_cache.hpp"
#include "cli/inspect/preloads.hpp"
#include "cli/inspect/search_path.hpp"
#include "cli/printable.hpp"

namespace {

using namespace nestbind::cli::inspect;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_cache(std::string_view bytes) {
  const LoaderCache cache(bytes);
  require(cache.size() <= bytes.size() / 24, "every entry is in the file");
  Hwcaps hwcaps;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"", "libc.so.6", "liba.so.1", "libb.so.10", "libb.so.9"}) {
      const std::string path = cache.find(name, hwcaps);
      require(path.empty() || bytes.find(path) != std::string_view::npos, "a path is in the file");
    }
    // Whatever the file has as names, the first texts in it among them.
    const std::size_t text =
        std::min<std::size_t>(bytes.size(), 48 + 24 * std::size_t{cache.size()});
    for (std::string_view rest = bytes.substr(text); !rest.empty() && rest.size() > 1;) {
      const std::size_t end = std::min(rest.find('\0'), rest.size() - 1);
      cache.find(rest.substr(0, end), hwcaps);
      rest.remove_prefix(end + 1);
    }
    hwcaps.levels = {"x86-64-v3", "x86-64-v2"};
    hwcaps.isa_level = 2;
    hwcaps.feature_bits = hwcaps.platform_bits = 0xF0000000000006;
  }
}

void check_folders(std::string_view list) {
  bool is_cut = false;
  for (const std::string_view separators : {":", ":;"}) {
    for (const std::string& folder : folders_of(list, separators, {"/origin", "lib", ""}, is_cut)) {
      require(folder.empty() || folder.ends_with('/'), "a folder ends in a slash");
      require(folder.size() < 5000, "a folder is no longer than a path");
      require(folder.find(':') == std::string::npos, "a separator separates");
    }
  }
}

void check_preloads(std::string_view text) {
  for (const auto& names : {names_in_preload(text), names_in_preload_file(text)}) {
    for (const std::string& name : names) {
      require(!name.empty() && name.find_first_of(" :") == std::string::npos, "a name is one");
      require(text.find(name) != std::string_view::npos, "a name stands in the text");
    }
  }
}

void check_shown(std::string_view text) {
  const std::string shown = nestbind::cli::printable(text);
  require(nestbind::cli::printable(shown) == shown, "what can be shown stays");
  require(shown.size() <= 4 * text.size(), "a byte becomes four at most");
  for (const char c : shown) {
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "nothing controls");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  // On the heap, without what is before it.
  const std::string bytes(all.substr(all.empty() ? 0 : 1));
  switch (all.empty() ? '\0' : all[0]) {
    case 'f':
      check_folders(bytes);
      break;
    case 'p':
      check_preloads(bytes);
      break;
    case 't':
      check_shown(bytes);
      break;
    default:
      check_cache(bytes);
  }
  return 0;
}
