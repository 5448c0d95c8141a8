// SPDX-License-Identifier: BSD-3-Clause
#include <climits>
#include <map>
#include <set>

#include "job/facts.hpp"
#include "mask/cpu_list.hpp"
#include "support/decimal.hpp"

namespace nestbind::job {

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string in_words(const std::vector<std::string>& ranks) {
  std::vector<int> numbers;
  std::vector<std::string> parts;
  for (const std::string& name : ranks) {
    int number = 0;
    if (support::read_decimal(name.data(), name.size(), INT_MAX, number)) {
      numbers.push_back(number);
    } else {
      parts.push_back(name);
    }
  }
  if (!numbers.empty()) {
    parts.insert(parts.begin(), mask::list(numbers));
  }
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

Cpus cpus_of(const Rank& rank) {
  std::set<int> cpus;
  for (const Thread& thread : rank.threads) {
    cpus.insert(thread.cpus.begin(), thread.cpus.end());
  }
  return {cpus.begin(), cpus.end()};
}

std::string sizes_of(const Rank& rank) {
  std::map<std::size_t, std::set<int>> sizes;
  for (const Team& team : rank.teams) {
    sizes[team.primary.size()].insert(team.size);
  }
  std::string text;
  for (const auto& [level, all] : sizes) {
    text += text.empty() ? "" : "x";
    const char* before = "";
    for (const int size : all) {
      text += before + std::to_string(size);
      before = "/";
    }
  }
  return text;
}

std::string specs_of(const Rank& rank) {
  Names specs;
  for (const Team& team : rank.teams) {
    specs.add(team.spec);
  }
  std::string text;
  for (const std::string& spec : specs.all()) {
    text += (text.empty() ? "" : " then ") + spec;
  }
  return text;
}

}  // namespace nestbind::job
