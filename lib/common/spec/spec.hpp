// SPDX-License-Identifier: BSD-3-Clause
// The text of a binding specification: read it, check it, print it. Knows nothing else.
// No allocation and no exception: the preloaded library reads specifications before main.
#pragma once

#include <nestbind/nestbind.h>

#include <cstddef>
#include <string_view>

#include "spec/kind.hpp"

namespace nestbind::spec {

inline constexpr int kMaxLevels = NESTBIND_MAX_LEVELS;
inline constexpr int kMaxThreads = NESTBIND_MAX_THREADS;

enum class Strategy { kScatter, kCompact, kSubscatter, kSubcompact };
inline constexpr int kStrategies = 4;

// Whether "@DOMAIN" may stand after it.
bool takes_domain(Strategy strategy);

// All zero where nothing is said.
struct Level {
  int size = 0;             // team size; 0: symbolic, one thread for each `object`
  Kind object = Kind::kPu;  // of a symbolic size
  bool is_star = false;     // "*": as many as the program forks; counts as one for each core
  Strategy strategy = Strategy::kScatter;
  bool has_domain = false;
  Kind domain = Kind::kPu;  // of "@DOMAIN"
  bool operator==(const Level&) const = default;
};

// Whether only a machine can say how many threads that are.
inline bool is_symbolic(const Level& level) { return level.size == 0 && !level.is_star; }

// No levels: the word "off". Nothing is bound.
struct Spec {
  int levels = 0;
  bool is_auto = false;  // the word "auto": the last level holds for all deeper ones, too
  Level level[kMaxLevels];
  bool is_off() const { return levels == 0; }
  // How many levels it makes active: as many as reach the last one that has a size.
  int active_levels() const {
    int active = levels;
    while (active > 0 && level[active - 1].is_star) {
      --active;
    }
    return active;
  }
  bool operator==(const Spec& other) const;
};

// A fault in a text: what, where (byte offset of its first character, length of the text at a
// premature end), and what was expected there.
struct Fault {
  nestbind_error error = NESTBIND_OK;
  std::size_t position = 0;
  const char* expected = "";
};

// Reads `text` into `spec`. Case and blanks do not matter. Returns false, with `fault` filled and
// `spec` untouched, if the text is not a specification.
bool parse(std::string_view text, Spec& spec, Fault& fault);

// What the error numbers of nestbind.h mean, for every interface: one line of English without a
// final period; never null: "unknown error" for a number that nestbind.h does not have.
const char* strerror(int error);

// Writes a message of three lines for a fault: what is wrong, at which column, and what was
// expected; the text (an excerpt of a long one; unprintable bytes as '?'); and a caret under the
// fault. Nul-terminated, cut to `size`. Returns the length written.
std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size);

// Writes the canonical text (lower case, no blanks), nul-terminated and cut to `size`. Returns the
// length of the whole text. parse(print(spec)) gives the same specification.
std::size_t print(const Spec& spec, char* buffer, std::size_t size);

// Enough for every canonical text.
inline constexpr std::size_t kMaxText = std::size_t{kMaxLevels} * 32;

// The word for a kind of objects ("numa") and for a strategy ("scatter").
const char* name(Kind kind);
const char* name(Strategy strategy);

// Whether a kind may stand as a size, and after "@".
bool may_be_size(Kind kind);
bool may_be_domain(Kind kind);

}  // namespace nestbind::spec
