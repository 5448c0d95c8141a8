// SPDX-License-Identifier: BSD-3-Clause
#include "memory/sentences.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace nestbind::memory {
namespace {

constexpr double kSaidPercent = 100;

std::string percent(double part) { return std::to_string(std::lround(part)) + " %"; }

// 41,214
std::string with_commas(std::uint64_t number) {
  constexpr std::size_t kGroup = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > kGroup;) {
    at -= kGroup;
    text.insert(at, ",");
  }
  return text;
}

std::string size(std::uint64_t bytes) {
  constexpr double kThousand = 1024;
  constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  double number = static_cast<double>(bytes) / kThousand;
  std::size_t unit = 0;
  // What would be printed as 1024.0 is 1.0 of the next.
  for (; number >= kThousand - 0.05 && unit + 1 < kUnits.size(); ++unit) {
    number /= kThousand;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", number, kUnits[unit]);
  return text.data();
}

std::string address(std::uintptr_t begin) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%" PRIxPTR, begin);
  return text.data();
}

int number_of(const Told& told, std::size_t node) {
  return node < told.nodes.size() ? told.nodes[node] : static_cast<int>(node);
}

// "node 3", "nodes 0..3" of numbers without gaps, otherwise "nodes 0, 2, 5".
std::string nodes(const std::vector<int>& numbers) {
  if (numbers.size() == 1) {
    return "node " + std::to_string(numbers[0]);
  }
  const bool is_row = numbers.back() - numbers.front() + 1 == static_cast<int>(numbers.size()) &&
                      numbers.size() > 2;
  if (is_row) {
    return "nodes " + std::to_string(numbers.front()) + ".." + std::to_string(numbers.back());
  }
  std::string text = "nodes ";
  for (const int number : numbers) {
    text += (number == numbers.front() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

// "node 0: 97 %, node 1: 3 %": of parts that are none when rounded nothing is told.
std::string parts(const std::vector<double>& of_nodes, const Told& told) {
  std::string text;
  for (std::size_t node = 0; node < of_nodes.size(); ++node) {
    if (std::lround(of_nodes[node]) > 0) {
      text += (text.empty() ? "node " : ", node ") + std::to_string(number_of(told, node)) + ": " +
              percent(of_nodes[node]);
    }
  }
  return text;
}

// "nodes 0..3, 25 % each" where they are about alike.
std::string users(const std::vector<double>& of_nodes, const Told& told) {
  constexpr double kAlike = 5;
  std::vector<int> numbers;
  std::vector<double> some;
  for (std::size_t node = 0; node < of_nodes.size(); ++node) {
    if (std::lround(of_nodes[node]) > 0) {
      numbers.push_back(number_of(told, node));
      some.push_back(of_nodes[node]);
    }
  }
  if (some.empty()) {
    return "nobody that was seen";
  }
  const auto [least, most] = std::minmax_element(some.begin(), some.end());
  if (some.size() == 1 || *most - *least > kAlike) {
    return parts(of_nodes, told);
  }
  const double mean =
      std::accumulate(some.begin(), some.end(), 0.0) / static_cast<double>(some.size());
  return nodes(numbers) + ", " + percent(mean) + " each";
}

std::string first_line(const RegionFacts& facts, const Told& told, const Names& names) {
  std::string text = "region " + address(facts.range.begin) + " " + size(facts.range.bytes());
  if (facts.first_touch.thread >= 0) {
    text += "  first touched by thread " + std::to_string(facts.first_touch.thread) + " in " +
            names.place + " " + percent(facts.first_touch.part);
  }
  const std::uint64_t all =
      std::accumulate(facts.bytes_on.begin(), facts.bytes_on.end(), std::uint64_t{0});
  std::vector<double> on;
  on.reserve(facts.bytes_on.size());
  for (const std::uint64_t bytes : facts.bytes_on) {
    on.push_back(all == 0 ? 0
                          : kSaidPercent * static_cast<double>(bytes) / static_cast<double>(all));
  }
  return all == 0 ? text : text + "  on " + parts(on, told);
}

std::string second_line(const RegionFacts& facts, const Advice& advice, const Told& told) {
  constexpr double kMostly = 80;
  constexpr double kHardly = 20;
  std::string text = "  ";
  if (advice.remedy != Remedy::kUnseen) {
    text += "used by: " + users(advice.users, told) + "; ";
    text += advice.own >= kMostly ? "each page by one node (" + percent(advice.own) + ")"
            : advice.own <= kHardly
                ? "pages by several nodes (" + percent(kSaidPercent - advice.own) + ")"
                : percent(advice.own) + " by one node each page, the others by several";
    text += "  ";
  }
  return text + "sampled: " + told.source + ", " + with_commas(facts.samples);
}

std::string figures(const Figures& of) {
  return "local " + percent(of.local) + ", imbalance " + percent(of.imbalance);
}

// What a remedy is called, and what is to be done in the source.
struct Words {
  std::string name;
  std::string source;
};

Words words_of(Remedy remedy, const Names& names) {
  const auto call = [&](const char* how) {
    return "nestbind_memory_spread(" + names.array + ", n, " + how + ")";
  };
  const std::string in_parallel = "initialise in parallel (" + names.line + ")";
  switch (remedy) {
    case Remedy::kBlock:
      return {"BLOCK distribution", in_parallel + ", or " + call("NESTBIND_BLOCK")};
    case Remedy::kLocal:
      return {"all on the node that uses it", "initialise by a thread that uses it (" + names.line +
                                                  "), or there " + call("NESTBIND_LOCAL")};
    case Remedy::kOwn:
      return {"each page on the node that uses it",
              in_parallel + ", each part by the thread that uses it"};
    case Remedy::kInterleave:
      return {"INTERLEAVE distribution", call("NESTBIND_INTERLEAVE")};
    case Remedy::kReplicate:
      return {"a copy on each node, as it is only read",
              "nestbind_memory_replicate(" + names.array + ", n, &copies)"};
    case Remedy::kUnseen:
    case Remedy::kNone:
      break;
  }
  return {};
}

std::string third_line(const Advice& advice, const Names& names) {
  if (advice.remedy == Remedy::kUnseen) {
    return "  too little was seen of it to say what would help";
  }
  const std::string now = "  " + figures(advice.now) + "  ->  ";
  if (advice.remedy == Remedy::kNone) {
    return now + "nothing to mend";
  }
  const Words words = words_of(advice.remedy, names);
  return now + words.name + ": " + figures(advice.after) + ".  In the source: " + words.source;
}

void replace_all(std::string& text, const std::string& mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

}  // namespace

std::string sentences(const RegionFacts& facts, const Advice& advice, const Told& told,
                      const Names& names) {
  return first_line(facts, told, names) + "\n" + second_line(facts, advice, told) + "\n" +
         third_line(advice, names) + "\n";
}

std::string filled(std::string text, const Names& names) {
  const Names marks;
  replace_all(text, marks.place, names.place);
  replace_all(text, marks.line, names.line);
  replace_all(text, marks.array, names.array);
  return text;
}

}  // namespace nestbind::memory
