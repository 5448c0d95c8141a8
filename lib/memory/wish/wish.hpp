// SPDX-License-Identifier: BSD-3-Clause
// What NESTBIND_MEMORY asks for:
//
//   memory := ( "advise" | "apply" ) { "," option } [ ":" file ]
//   option := "min=" number [ "K" | "M" | "G" ] | "seconds=" number | "json"
//
// Depends on nothing. Text in, a wish or a fault out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nestbind::memory {

struct Wish {
  bool is_apply = false;  // memory is moved; otherwise only reported
  // The least size, in bytes, of a region that is reported or moved.
  std::uint64_t least = std::uint64_t{8} << 20;
  int seconds = 0;  // to watch; 0: to the process's end
  bool is_json = false;
  const char* file = nullptr;  // the end of the text; null: the standard error output
};

enum class WishError {
  kNone,
  kEmpty,
  kBadWord,
  kBadOption,
  kTwice,
  kBadSize,
  kBadSeconds,
  kBadSeparator,
  kNoFile
};

struct WishFault {
  WishError error = WishError::kNone;
  std::size_t position = 0;
  const char* expected = "";
};

// Reads a text that ends with a nul. Case and blanks do not matter before the file. If the text is
// no wish, returns false, writes the first fault to `fault`, and leaves `wish` unchanged.
bool parse(const char* text, Wish& wish, WishFault& fault);

// Writes a message of three lines for a fault, as spec::describe does. Nul-terminated, cut to
// `size`. Returns the length written.
std::size_t describe(std::string_view text, const WishFault& fault, char* buffer, std::size_t size);

}  // namespace nestbind::memory
