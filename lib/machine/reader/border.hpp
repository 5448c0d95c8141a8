// SPDX-License-Identifier: BSD-3-Clause
// The border of nestbind-read-machine: a program that reads a machine that somebody describes, in a
// process of its own, with limits. Started with the description as its argument, and all signals
// blocked; it writes its answer to a file: a byte that says what it is, and the rest.
#pragma once

namespace nestbind::machine::reader {

inline constexpr char kReaderFile[] = "nestbind-read-machine";

inline constexpr int kAnswerFile = 3;  // its descriptor

enum Answer : char {
  kRecord = 'r',      // and bytes as cache::encode() writes them
  kMessage = 'm',     // and why there is no machine, for people
  kNotStarted = 'e',  // and an errno as int: of the process that was to become this program
};

// What the process may take.
inline constexpr long kMegabytes = 1024;
inline constexpr long kSeconds = 10;  // of a processor; and three times as many by the clock
inline constexpr long kLargestAnswer = 16L << 20;

}  // namespace nestbind::machine::reader
