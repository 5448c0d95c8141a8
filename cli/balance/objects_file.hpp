// SPDX-License-Identifier: BSD-3-Clause
// Reads the objects of nestbind balance from JSON. Only "load" is required. In "messages", each
// message is a list: the sender, the receiver, and an optional count. The default count is 1.
//
// An example:
//   {"load": [4, 1, 1, 2], "slot": [0, 0, 1, 1], "home": [0, 0, 1, -1],
//    "home_messages": [9, 9, 9, 0], "messages": [[0, 1, 10], [1, 0, 10]]}
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "balance/objects.hpp"

namespace nestbind::cli::balance {

inline constexpr std::size_t kLargestFile = std::size_t{256} << 20;

struct ObjectsFile {
  std::vector<double> load;
  std::vector<int> first;  // index of each sender's first message; empty if there are no messages
  std::vector<int> other;
  std::vector<double> messages;
  std::vector<int> slot;  // empty if the file has no "slot"
  std::vector<int> home;  // the machine's numbers of nodes, -1 for none; empty without "home"
  std::vector<double> home_messages;

  nestbind::balance::Objects view() const;
};

// Returns a message that says what is wrong and where. The message is empty if the text is right.
std::string parse(const std::string& text, ObjectsFile& file);

}  // namespace nestbind::cli::balance
