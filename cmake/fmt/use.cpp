// SPDX-License-Identifier: BSD-3-Clause
// This test program links only if functions.cpp has all functions of fmt that the command needs.
#include <fmt/core.h>
#include <fmt/format.h>

#include <string>
#include <vector>

int main(int count, char** words) {
  const std::vector<int> numbers{count};
  fmt::print(stderr, "{:>{}} {:.{}f} {:x} {} {}\n", words[0], 10, 0.5 * count, 2, count,
             1.5F * static_cast<float>(count), fmt::join(numbers, ","));
  return fmt::format(fmt::runtime("{:08.3f} {:?<9} {:L}"), 1e-9 * count, std::string(words[0]),
                     10000 * count)
                 .empty()
             ? 1
             : 0;
}
