// SPDX-License-Identifier: BSD-3-Clause
#include "show/texts.hpp"

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

constexpr int kNoStep = -1;

// Returns the difference from `one` to `next`, or kNoStep for an uneven or negative difference.
int step(const Entry& one, const Entry& next) {
  const int by = one.empty() || next.empty() ? kNoStep : next[0] - one[0];
  const bool is_same = std::ranges::equal(one, next, [by](int a, int b) { return b - a == by; });
  return is_same && by >= 0 ? by : kNoStep;
}

std::string in_ranges(const std::vector<Entry>& entries, const char* separator) {
  constexpr std::size_t kFewest = 3;
  constexpr int kMostParts = 256;
  std::string text;
  int parts = 0;
  for (std::size_t first = 0; first < entries.size(); ++parts) {
    if (parts == kMostParts) {
      return text + separator + "and " + std::to_string(entries.size() - first) + " more";
    }
    const auto by = [&](std::size_t at) {
      return at + 1 < entries.size() ? step(entries[at], entries[at + 1]) : kNoStep;
    };
    const int all = by(first);
    std::size_t last = first;
    while (all != kNoStep && by(last) == all) {
      ++last;
    }
    const std::size_t count = last - first + 1;
    last = count < kFewest ? first : last;
    text += (text.empty() ? "" : separator) + name_of(entries[first]);
    if (last > first && all == 0) {
      text += "*" + std::to_string(count);
    } else if (last > first) {
      text += "-" + name_of(entries[last]) + (all == 1 ? "" : ":" + std::to_string(all));
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

std::string canonical(const spec::Spec& spec) {
  char text[spec::kMaxText];
  const std::size_t length = spec::print(spec, text, sizeof text);
  return {text, std::min(length, sizeof text - 1)};
}

std::string canonical(const spec::Level& level) { return canonical(spec::Spec{1, false, {level}}); }

std::string wrapped(std::string text, int columns, int indent) {
  constexpr int kLeast = 20;  // columns after the indent
  const auto before = static_cast<std::size_t>(indent);
  const auto most = static_cast<std::size_t>(std::max(columns, indent + kLeast));
  std::string lines;
  while (columns > 0 && text.size() > most) {
    std::size_t blank = text.rfind(' ', most);
    blank = blank == std::string::npos || blank <= before ? text.find(' ', most) : blank;
    if (blank == std::string::npos) {
      break;
    }
    lines += text.substr(0, blank) + "\n";
    text = std::string(before, ' ') + text.substr(blank + 1);
  }
  return lines + text;
}

}  // namespace nestbind::show
