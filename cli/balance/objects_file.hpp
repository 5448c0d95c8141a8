// SPDX-License-Identifier: BSD-3-Clause
// The objects that a user hands over, as JSON:
//
//   {"load": [4, 1, 1, 2], "slot": [0, 0, 1, 1], "home": [0, 0, 1, -1], "home_messages": [9, 9, 9,
//   0],
//    "messages": [[0, 1, 10], [1, 0, 10]]}
//
// Only "load" is needed. A message is its sender, its receiver, and how many (1).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "balance/objects.hpp"

namespace nestbind::cli::balance {

// In bytes. What is read of it is no larger than that.
inline constexpr std::size_t kLargestFile = std::size_t{256} << 20;

// What lib/preload/balance works on, in arrays of its own.
struct ObjectsFile {
  std::vector<double> load;
  std::vector<int> first;  // of messages; empty: none
  std::vector<int> other;
  std::vector<double> messages;
  std::vector<int> slot;  // empty: not told
  std::vector<int> home;  // likewise; by the machine's own numbers, -1: none
  std::vector<double> home_messages;

  nestbind::balance::Objects view() const;
};

// Reads a text. Returns what is wrong with it, and where; empty where it is good.
std::string parse(const std::string& text, ObjectsFile& file);

}  // namespace nestbind::cli::balance
