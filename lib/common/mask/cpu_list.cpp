// SPDX-License-Identifier: BSD-3-Clause
#include "mask/cpu_list.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "support/decimal.hpp"

namespace nestbind::mask {

namespace {

bool take_number(std::string_view& text, int& number) {
  const char* end = text.data();
  number = static_cast<int>(support::take_decimal(end, text.data() + text.size(), kMaxListed));
  const auto digits = static_cast<std::size_t>(end - text.data());
  text.remove_prefix(digits);
  return digits > 0 && number <= kMaxListed;
}

bool take(std::string_view& text, char c) {
  const bool is_there = !text.empty() && text.front() == c;
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

// Reads "A", "A-B" or "A-B:S" from the beginning of `text`.
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

std::optional<std::vector<int>> parse_list(const std::string& text) {
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

std::string list(std::vector<int> numbers) {
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

std::vector<int> cpus_in(const CpuMask& mask) {
  std::vector<int> cpus;
  each(mask, [&](int cpu) { cpus.push_back(cpu); });
  return cpus;
}

}  // namespace nestbind::mask
