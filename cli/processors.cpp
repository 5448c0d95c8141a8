// SPDX-License-Identifier: BSD-3-Clause
#include "cli/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <set>
#include <string_view>

namespace nestbind::cli {

namespace {

// Takes a number from the front of `text`.
bool take_number(std::string_view& text, int& number) {
  const char* begin = text.begin();
  const auto [stop, error] = std::from_chars(begin, text.end(), number);
  if (error != std::errc{} || number < 0 || number > kMaxProcessor) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(stop - begin));
  return true;
}

bool take(std::string_view& text, char c) {
  const bool is_there = !text.empty() && text.front() == c;
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

// Takes "A", "A-B" or "A-B:S".
bool take_range(std::string_view& text, std::set<int>& numbers) {
  int first = 0;
  if (!take_number(text, first)) {
    return false;
  }
  int last = first;
  int stride = 1;
  if (take(text, '-')) {
    if (!take_number(text, last) || last < first) {
      return false;
    }
    if (take(text, ':') && (!take_number(text, stride) || stride == 0)) {
      return false;
    }
  }
  for (int number = first; number <= last; number += stride) {
    numbers.insert(numbers.end(), number);
  }
  return true;
}

}  // namespace

std::optional<std::vector<int>> own_processors() {
  // The kernel refuses a mask that is shorter than its own.
  for (std::size_t words = 16; words <= kMaxProcessor / (8 * sizeof(unsigned long)); words *= 2) {
    std::vector<unsigned long> mask(words, 0);
    const std::size_t bytes = words * sizeof(unsigned long);
    if (sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(mask.data())) == 0) {
      std::vector<int> cpus;
      for (std::size_t cpu = 0; cpu < 8 * bytes; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, reinterpret_cast<cpu_set_t*>(mask.data()))) {
          cpus.push_back(static_cast<int>(cpu));
        }
      }
      return cpus;
    }
    if (errno != EINVAL) {
      break;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<int>> parse_processors(const std::string& text) {
  std::set<int> numbers;
  std::string_view rest = text;
  do {
    if (!take_range(rest, numbers)) {
      return std::nullopt;
    }
  } while (take(rest, ','));
  if (!rest.empty()) {
    return std::nullopt;
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

std::string ranges(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) {
      text += "-" + std::to_string(numbers[last]);
    }
    i = last + 1;
  }
  return text.empty() ? "-" : text;
}

}  // namespace nestbind::cli
