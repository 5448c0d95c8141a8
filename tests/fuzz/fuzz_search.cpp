// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: reads texts about libraries. The first byte selects the kind of text. 'l' is the help
// of a loader, and 'c' is the listing of ldconfig's cache. 'f' is a list of folders, and 'p' is a
// list of preloads. 't' is a text that is shown to the user.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/common/printable.hpp"
#include "cli/inspect/loader.hpp"

namespace {

using namespace nestbind::cli::inspect;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_loader(std::string_view help) {
  const Loader loader = loader_in(help);
  require(loader.is_asked == !loader.folders.empty(), "a loader has folders");
  for (const std::string& folder : loader.folders) {
    require(folder.ends_with('/'), "a folder ends in a slash");
  }
  for (const std::string& level : loader.levels) {
    require(help.find(level) != std::string_view::npos, "the text has the level");
  }
}

void check_cache(std::string_view listing) {
  const Cache cache(listing);
  for (const char* name : {"", "libc.so.6", "liba.so.1"}) {
    for (const std::string& path : cache.find(name, {"x86-64-v3", "x86-64-v2"})) {
      require(listing.find(path) != std::string_view::npos, "the text has the path");
    }
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
      require(!name.empty() && name.find_first_of(" :") == std::string::npos,
              "a name is not empty, and has no separator");
      require(text.find(name) != std::string_view::npos, "the text has the name");
    }
  }
}

void check_shown(std::string_view text) {
  const std::string shown = nestbind::cli::printable(text);
  require(nestbind::cli::printable(shown) == shown, "printable text is not changed");
  require(shown.size() <= 4 * text.size(), "a byte becomes at most four bytes");
  for (const char c : shown) {
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "there is no control character");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  // AddressSanitizer reports a read before the first byte of the copy.
  const std::string bytes(all.substr(all.empty() ? 0 : 1));
  switch (all.empty() ? '\0' : all[0]) {
    case 'l':
      check_loader(bytes);
      break;
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
