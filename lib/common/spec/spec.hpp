// SPDX-License-Identifier: BSD-3-Clause
// Reads, checks and prints the text of a binding specification. Nothing here allocates or throws:
// the preloaded library reads specifications before main.
#pragma once

#include <nestbind/nestbind.h>

#include <cstddef>
#include <string_view>

#include "spec/kind.hpp"

namespace nestbind::spec {

inline constexpr int kMaxLevels = NESTBIND_MAX_LEVELS;
inline constexpr int kMaxThreads = NESTBIND_MAX_THREADS;

enum class Strategy { kScatter, kCompact, kSubscatter, kSubcompact };
inline constexpr int kStrategies = static_cast<int>(Strategy::kSubcompact) + 1;

bool takes_domain(Strategy strategy);

struct Level {
  int size = 0;  // team size; 0 if symbolic (one thread for each `object`)
  Kind object = Kind::kPu;
  bool is_star = false;  // "*": the program decides; planned as one thread for each core
  Strategy strategy = Strategy::kScatter;
  bool has_domain = false;
  Kind domain = Kind::kPu;
  bool operator==(const Level&) const = default;
};

inline bool is_symbolic(const Level& level) { return level.size == 0 && !level.is_star; }

// A specification without levels is the word "off", and nothing is bound.
struct Spec {
  int levels = 0;
  bool is_auto = false;  // the word "auto": all deeper levels are like the last level
  Level level[kMaxLevels];
  bool is_off() const { return levels == 0; }
  // Levels after the last level with a size do not count.
  int active_levels() const {
    int active = levels;
    while (active > 0 && level[active - 1].is_star) {
      --active;
    }
    return active;
  }
  bool operator==(const Spec& other) const;
};

// position: the byte offset of the fault, or the text's length if the text ends too early.
struct Fault {
  nestbind_error error = NESTBIND_OK;
  std::size_t position = 0;
  const char* expected = "";
};

// Case and blanks do not matter. If the text is not a specification, returns false, fills `fault`,
// and does not change `spec`.
bool parse(std::string_view text, Spec& spec, Fault& fault);

// If nestbind.h does not have the number, returns "unknown error", not null.
const char* strerror(int error);

// Writes three lines for a fault: the error with its column and what was expected, the text, and a
// caret under the fault.
std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size);

// Writes the canonical text (lower case, no blanks), nul-terminated and cut to `size`. Returns the
// length of the whole text.
std::size_t print(const Spec& spec, char* buffer, std::size_t size);

// A buffer of this size has room for every canonical text.
inline constexpr std::size_t kMaxText = std::size_t{kMaxLevels} * 32;

const char* name(Kind kind);
const char* name(Strategy strategy);

bool may_be_size(Kind kind);
bool may_be_domain(Kind kind);

// How many threads a specification needs, as far as this is known before the machine is read.
struct Need {
  int threads = 1;       // the product of the numeric sizes, at most kMost
  bool is_open = false;  // true if a size is a word or *
  static constexpr int kMost = 1 << 20;
};

inline Need need_of(const Spec& spec) {
  Need need;
  for (int i = 0; i < spec.levels; ++i) {
    const long size = spec.level[i].size;
    need.is_open = need.is_open || size == 0;
    const long product = need.threads * (size > 0 ? size : 1);
    need.threads = static_cast<int>(product < Need::kMost ? product : long{Need::kMost});
  }
  return need;
}

// Which sizes of a specification nestbind says as OMP_NUM_THREADS and OMP_MAX_ACTIVE_LEVELS.
// Returns the maximum of active levels for a specification, or 0 to keep `present`.
inline int levels_to_set(const Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

}  // namespace nestbind::spec
