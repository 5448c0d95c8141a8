// SPDX-License-Identifier: BSD-3-Clause
#include "show/ranges.hpp"

#include <algorithm>

#include "mask/cpu_list.hpp"

namespace nestbind::show {

namespace {

using Entry = std::vector<int>;

std::string name_of(const Entry& entry) {
  std::string text;
  for (const int number : entry) {
    text += (text.empty() ? "" : ",") + std::to_string(number);
  }
  return entry.size() == 1 ? text : "{" + text + "}";
}

// By how much all numbers of `next` are more than those of `one`; 0: not all by the same, or not
// more.
int step(const Entry& one, const Entry& next) {
  const int by = one.empty() || next.empty() ? 0 : next[0] - one[0];
  const bool is_same = std::ranges::equal(one, next, [by](int a, int b) { return b - a == by; });
  return is_same && by > 0 ? by : 0;
}

std::string in_ranges(const std::vector<Entry>& entries, const char* separator) {
  constexpr std::size_t kFewest = 3;
  std::string text;
  for (std::size_t first = 0; first < entries.size();) {
    const int by = first + 1 < entries.size() ? step(entries[first], entries[first + 1]) : 0;
    std::size_t last = first;
    while (by > 0 && last + 1 < entries.size() && step(entries[last], entries[last + 1]) == by) {
      ++last;
    }
    last = last - first + 1 < kFewest ? first : last;
    text += (text.empty() ? "" : separator) + name_of(entries[first]);
    if (last > first) {
      text += "-" + name_of(entries[last]) + (by == 1 ? "" : ":" + std::to_string(by));
    }
    first = last + 1;
  }
  return text;
}

}  // namespace

std::string slot_list(const std::vector<machine::Slot>& slots, const std::vector<int>& members) {
  std::vector<Entry> entries;
  entries.reserve(members.size());
  for (const int member : members) {
    entries.push_back(slots[member].cpus);
  }
  if (entries.size() > kLongList) {
    return in_ranges(entries, " ");
  }
  std::string text;
  for (const Entry& entry : entries) {
    text += (text.empty() ? "" : " ") + name_of(entry);
  }
  return text;
}

std::string number_list(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  std::string text = mask::list(numbers);
  if (std::ranges::count(text, ',') < kLongList) {
    return text;
  }
  std::vector<Entry> entries;
  entries.reserve(numbers.size());
  for (const int number : numbers) {
    entries.push_back({number});
  }
  return in_ranges(entries, ",");
}

}  // namespace nestbind::show
