// SPDX-License-Identifier: BSD-3-Clause
#include "planner/node.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "machine/numbers.hpp"

namespace nestbind::planner {

namespace {

std::string list(const std::vector<int>& numbers) {
  std::string text = "[";
  for (const int number : numbers) {
    text += (text.size() == 1 ? "" : ", ") + std::to_string(number);
  }
  return text + "]";
}

std::string or_null(int number) { return number < 0 ? "null" : std::to_string(number); }

// The processors of a core stand in a row; one without a core is its own.
std::string cores(const machine::Hardware& hardware) {
  const machine::Numbers numbers = machine::number_allowed(hardware);
  std::vector<int> cpus;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (hardware.is_allowed[p]) {
      cpus.push_back(hardware.cpus[p]);
    }
  }
  std::string text;
  for (std::size_t begin = 0; begin < cpus.size();) {
    std::vector<int> siblings{cpus[begin]};
    std::size_t end = begin + 1;
    while (end < cpus.size() && numbers.core[begin] >= 0 &&
           numbers.core[end] == numbers.core[begin]) {
      siblings.push_back(cpus[end++]);
    }
    text += text.empty() ? "" : ", ";
    text += "{\"core\": " + or_null(numbers.core[begin]) +
            ", \"package\": " + or_null(numbers.package[begin]) +
            ", \"numa\": " + or_null(numbers.numa[begin]) + ", \"cpus\": " + list(siblings) + "}";
    begin = end;
  }
  return "[" + text + "]";
}

}  // namespace

char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed) {
  const std::string text =
      (allowed ? "\"allowed\": " + list(*allowed) + ", " : "") + "\"cores\": " + cores(hardware);
  const std::size_t bytes = text.size() + 1;
  void* const copy = std::malloc(bytes);
  return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text.c_str(), bytes));
}

}  // namespace nestbind::planner
