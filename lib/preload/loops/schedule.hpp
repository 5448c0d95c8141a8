// SPDX-License-Identifier: BSD-3-Clause
// Reads, checks and prints the text of a schedule, without allocations and exceptions.
//
//   SCHEDULE := "native" | "hybrid" ("," OPTION)* | "balanced" ("," OF_BLOCKS)*
//   OPTION   := "f=" (0..1 | "auto") | "chunk=" (1.. | "auto") | "taper"
//             | "queue=" ("thread" | "l2" | "l3" | "numa" | "package" | "all")
//             | "weights=" ("equal" | "measured") | LOOPS
//   OF_BLOCKS := "blocks=" 2..1024 | "every=" (1.. | "auto") | "steal=" 0..1
//             | "alpha=" (0..1 | "auto") | LOOPS
//   LOOPS    := "loops=" ("runtime" | "dynamic" | "all")
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nestbind::loops {

// A static fraction is a multiple of 1/kParts.
inline constexpr int kParts = 63;

// kNative means that the runtime schedules its loops itself. kBalanced means that blocks have
// owners, which are chosen from measurements.
enum class Kind { kNative, kHybrid, kBalanced };
// Which threads share a queue of chunks. With kAll all threads share one queue, and take from it
// after all static blocks.
enum class Sharing { kThread, kL2, kL3, kNuma, kPackage, kAll };
enum class Weights { kEqual, kMeasured };
// The loops that nestbind schedules. kRuntime means schedule(runtime). kDynamic adds
// schedule(dynamic) and schedule(guided). kAll means all possible loops.
enum class Taken { kRuntime, kDynamic, kAll };

struct Schedule {
  static constexpr int kAuto = -1;
  static constexpr int kWhole = 10000;  // the value that means 1

  Kind kind = Kind::kNative;
  int fraction = kAuto;     // the static fraction, in 1/kWhole
  std::uint64_t chunk = 0;  // iterations; 0: auto
  bool taper = false;
  Sharing sharing = Sharing::kThread;
  Weights weights = Weights::kEqual;
  // The members from `blocks` to `alpha` are only for kBalanced.
  int blocks = 12;          // for each thread
  std::uint64_t every = 0;  // executions between two choices of owners; 0: auto
  int steal = 2500;         // the part of a thread's list that others may take, in 1/kWhole
  int alpha = kAuto;        // relative extra time of a remote block, in 1/kWhole
  Taken taken = Taken::kRuntime;
  bool operator==(const Schedule&) const = default;

  bool has_fraction() const { return fraction != kAuto; }
  // The fraction in 1/kParts, rounded to the nearest. Call this only if has_fraction().
  int static_parts() const { return (fraction * kParts + kWhole / 2) / kWhole; }
};

inline constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 40;
inline constexpr int kFewestBlocks = 2;
inline constexpr int kMostBlocks = 1024;
inline constexpr std::uint64_t kMaxEvery = 1000000;

enum class Error {
  kNone,
  kEmpty,
  kBadKind,
  kBadOption,  // missing or unknown option, or option of another kind of schedule
  kTwice,
  kBadFraction,  // no number, or not in 0..1
  kBadChunk,     // no number, or 0, or more than kMaxChunk
  kBadCount,     // bad number of blocks or executions
  kBadWord,
  kBadSeparator
};
inline constexpr int kErrors = 10;

// Returns one line of English without a final period, never null.
const char* meaning(Error error);

// `position` is the byte offset of the fault's first character, or the text's length if the text
// ends too early.
struct Fault {
  Error error = Error::kNone;
  std::size_t position = 0;
  const char* expected = "";
};

// Case and blanks do not matter. If the text is not a schedule, returns false, writes the text's
// first fault to `fault`, and leaves `schedule` unchanged.
bool parse(std::string_view text, Schedule& schedule, Fault& fault);

// Writes a message of three lines for a fault, as spec::describe does. The message is
// nul-terminated, and cut to `size`.
std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size);

// Writes the canonical text, nul-terminated and cut to `size`. The canonical text is in lower case,
// without blanks. It has only options that differ from their defaults, in the order of the grammar.
// Returns the length of the whole text.
std::size_t print(const Schedule& schedule, char* buffer, std::size_t size);

// An array of this size has room for every canonical text.
inline constexpr std::size_t kMaxText = 160;

}  // namespace nestbind::loops
