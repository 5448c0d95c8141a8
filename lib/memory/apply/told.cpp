// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/told.hpp"

#include <array>
#include <cstdio>
#include <numeric>
#include <string_view>

namespace nestbind::memory::apply {
namespace {

// A text of at most 255 letters.
template <typename... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

unsigned long long wide(std::uint64_t number) { return number; }

// In the order of Why.
struct Reason {
  const char* word;
  const char* text;
};
constexpr Reason kReasons[] = {
    {"file", "it is a file's, shared, or not writable"},
    {"locked", "it is locked (mlock)"},
    {"policy", "the program or its caller has given it a policy (mbind, set_mempolicy, numactl)"},
    {"not better", "two intervals after it was moved it was no better"},
    {"refused",
     "the kernel, or a sandbox, refuses to tell or to set policies (get_mempolicy, mbind)"},
    {"held", "its pages could not be moved: something holds them"},
    {"many", "as many regions as may be are dealt already"},
};

const Reason& reason(Why why) { return kReasons[static_cast<std::size_t>(why)]; }

std::string size_of(std::uint64_t bytes) {
  constexpr double kMebi = 1048576;
  return print("%.1f MiB", static_cast<double>(bytes) / kMebi);
}

std::string by_node(const char* word, const std::vector<std::uint64_t>& pages,
                    const std::vector<int>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < pages.size() && i < nodes.size(); ++i) {
    if (pages[i] > 0) {
      text += print("%s node %d: %llu", text.empty() ? "" : ", ", nodes[i], wide(pages[i]));
    }
  }
  return text.empty() ? "" : std::string(word) + text;
}

std::string figures(const Record& record) {
  if (!record.has_moved) {
    return record.after.all() == 0 ? "  who uses it was not seen\n"
                                   : print("  local %.0f %%, imbalance %.0f %%\n",
                                           local_ratio(record.after), imbalance(record.after.to));
  }
  return print(
      "  before: local %.0f %%, imbalance %.0f %%  ->  now: local %.0f %%, imbalance %.0f %%\n",
      local_ratio(record.before), imbalance(record.before.to), local_ratio(record.after),
      imbalance(record.after.to));
}

std::string moves(const Record& record, const Setting& setting) {
  const std::string counted = print("  %llu intervals, %llu scans of the kernel's",
                                    wide(record.intervals), wide(record.scans));
  if (record.pages() == 0 && !setting.always) {
    return counted +
           ": nothing was moved, since it is not known how much the program asks of its memory "
           "(that takes hardware counters)\n"
           "  NESTBIND_MEMORY=apply,always moves all the same\n";
  }
  if (record.pages() == 0) {
    return counted + ": 0 pages were moved\n";
  }
  return counted + print(": %llu pages were moved", wide(record.pages())) +
         by_node(", to", record.pages_to, setting.nodes) +
         by_node("; from", record.pages_from, setting.nodes) + "\n";
}

// More of them than anybody reads are counted.
std::string left_in_words(const Record& record) {
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t i = 0; i < record.left.size() && i < kMost; ++i) {
    const Left& left = record.left[i];
    text += print("  left alone: region %llx %s: ", wide(left.range.begin),
                  size_of(left.range.bytes()).c_str()) +
            reason(left.why).text + "\n";
  }
  if (record.left.size() > kMost) {
    text += print("  left alone: %zu more\n", record.left.size() - kMost);
  }
  return text;
}

std::string list(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) {
    text += print("%s%llu", text.empty() ? "" : ", ", wide(number));
  }
  return "[" + text + "]";
}

std::vector<std::uint64_t> full_nodes(const Record& record, const Setting& setting) {
  std::vector<std::uint64_t> full;
  for (std::size_t i = 0; i < setting.nodes.size(); ++i) {
    if (has(record.full, static_cast<int>(i))) {
      full.push_back(static_cast<std::uint64_t>(setting.nodes[i]));
    }
  }
  return full;
}

std::string rest_in_words(const Record& record, const Setting& setting) {
  std::string text;
  if (record.spread_bytes > 0) {
    text += "  used by several nodes, dealt to all, and kept from the kernel's balancing: " +
            size_of(record.spread_bytes) + "\n";
  }
  if (record.pages_kept > 0) {
    text += print("  %llu pages did not move when they were asked to\n", wide(record.pages_kept));
  }
  for (const std::uint64_t node : full_nodes(record, setting)) {
    text +=
        print("  node %llu was given nothing while less than 5 %% of it was free\n", wide(node));
  }
  if (setting.lost > 0) {
    text += print("  %llu samples were left out: more memory is used than is kept account of\n",
                  wide(setting.lost));
  }
  if (setting.has_no_memory) {
    text += "  given up: there is no memory for it (a limit of the address space, say)\n";
  }
  return text;
}

std::string traffic_in_json(const char* key, const Traffic& traffic) {
  return print(", \"%s\": {\"local\": %.1f, \"imbalance\": %.1f, \"samples\": %llu}", key,
               local_ratio(traffic), imbalance(traffic.to), wide(traffic.all()));
}

}  // namespace

std::string in_words(const Record& record, const Setting& setting) {
  return moves(record, setting) + figures(record) + rest_in_words(record, setting) +
         left_in_words(record);
}

std::string in_json(const Record& record, const Setting& setting) {
  std::string text = print("{\"always\": %s, \"intervals\": %llu, \"scans\": %llu, \"pages\": %llu",
                           setting.always ? "true" : "false", wide(record.intervals),
                           wide(record.scans), wide(record.pages()));
  text += ", \"pages_to\": " + list(record.pages_to);
  text += ", \"pages_from\": " + list(record.pages_from);
  text += print(", \"pages_kept\": %llu, \"spread\": %llu, \"replicas\": %llu",
                wide(record.pages_kept), wide(record.spread_bytes), wide(record.replicas));
  text += traffic_in_json("before", record.has_moved ? record.before : record.after);
  text += traffic_in_json("after", record.after);
  text += ", \"full\": " + list(full_nodes(record, setting));
  text += print(", \"lost\": %llu, \"no_memory\": %s, \"left\": [", wide(setting.lost),
                setting.has_no_memory ? "true" : "false");
  const char* between = "";
  for (const Left& left : record.left) {
    text += print("%s{\"begin\": %llu, \"end\": %llu, \"why\": \"%s\"}", between,
                  wide(left.range.begin), wide(left.range.end), reason(left.why).word);
    between = ", ";
  }
  return text + "]}";
}

}  // namespace nestbind::memory::apply
