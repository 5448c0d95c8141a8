// SPDX-License-Identifier: BSD-3-Clause
// A file of rules for single regions: lines `WHERE SPEC`; "#" begins a comment. Nothing here
// allocates or throws: the preloaded library reads rules before main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "spec/spec.hpp"

namespace nestbind::rules {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 20;
inline constexpr int kMostRules = 8192;

// The texts are parts of the line that was read.
//
//   *                                kEvery
//   LIBRARY:*                        kModule
//   [LIBRARY:]FUNCTION               kFunction
//   [LIBRARY:]FILE:A-B or FILE:A     kLines
//   LIBRARY:0xA-0xB                  kAddresses
//
// LIBRARY has no folder. Lines and addresses A and B are included.
//
// LIBRARY may also be the program. In LIBRARY, '?' means any byte.
struct Where {
  enum class Kind { kEvery, kModule, kFunction, kLines, kAddresses };
  Kind kind = Kind::kEvery;
  std::string_view module;  // empty for any module
  std::string_view name;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// Such a rule matches no fork until the command has found its addresses in the program.
inline bool needs_code(const Where& where) {
  return where.kind == Where::Kind::kLines || where.kind == Where::Kind::kFunction;
}

struct Rule {
  Where where;
  spec::Spec spec;
};

struct Fault {
  const char* what = "";
  std::size_t position = 0;
  const char* expected = "";
};

enum class Line { kEmpty, kRule, kFaulty };

Line read_line(std::string_view line, Rule& rule, Fault& fault);

std::size_t describe(std::string_view line, const Fault& fault, char* buffer, std::size_t size);

// file: a name without a folder. The rule libfft.so also means libfft.so.3.
inline bool is_named(const char* file, std::string_view library) {
  std::size_t at = 0;
  while (at < library.size() && file[at] != '\0' &&
         (library.data()[at] == file[at] || library.data()[at] == '?')) {
    ++at;
  }
  return at == library.size() && (file[at] == '\0' || file[at] == '.');
}

// Skips the UTF-8 mark that some editors write at the beginning of a text.
template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  at += text.size() >= 3 && at[0] == '\xef' && at[1] == '\xbb' && at[2] == '\xbf' ? 3 : 0;
  for (int number = 1; at < end; ++number) {
    const char* line = at;
    while (at < end && *at != '\n') {
      ++at;
    }
    if (!visit(std::string_view(line, static_cast<std::size_t>(at - line)), number)) {
      return;
    }
    ++at;
  }
}

}  // namespace nestbind::rules
