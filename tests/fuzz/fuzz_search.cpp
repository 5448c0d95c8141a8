// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: reads the loader's list of libraries. If the first byte is 't', the rest is a text
// that is shown to the user.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/common/printable.hpp"
#include "cli/inspect/loaded_libraries.hpp"

namespace {

using namespace nestbind::cli::inspect;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_answer(std::string_view answer) {
  for (const LoadedLibrary& library : listing_in(answer).libraries) {
    require(answer.find(library.name) != std::string_view::npos, "the text has the name");
    require(answer.find(library.path) != std::string_view::npos, "the text has the path");
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
  if (all.starts_with('t')) {
    check_shown(bytes);
  } else {
    check_answer(bytes);
  }
  return 0;
}
