// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/memory_nodes.hpp"

#include <algorithm>
#include <climits>
#include <sstream>

#include "mask/cpu_list.hpp"
#include "support/kernel_file.hpp"

namespace nestbind::memory::kernel {

namespace {

std::string line_of(const std::string& name) {
  const std::string text = support::kernel_text(name);
  return text.substr(0, text.find('\n'));
}

std::vector<int> list_of(const std::string& name) {
  return mask::parse_list(line_of(name)).value_or(std::vector<int>{});
}

std::string folder_of(const std::string& folder, int node) {
  return folder + "/node" + std::to_string(node);
}

std::vector<int> numbers_in(const std::string& line) {
  std::istringstream text(line);
  std::vector<int> numbers;
  for (int number = 0; text >> number;) {
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

int Nodes::of(int processor) const {
  const auto at = static_cast<std::size_t>(processor);
  const int node = processor < 0 || at >= of_processor.size() ? -1 : of_processor[at];
  return node < 0 ? numbers.front() : node;
}

int Nodes::nearest(int node, const NodeSet& among) const {
  if (among.has(node)) {
    return node;
  }
  const auto row = std::ranges::find(numbers, node) - numbers.begin();
  int best = node;
  int least = INT_MAX;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_told = !distance.empty() && row < count();
    const int far = is_told ? distance[static_cast<std::size_t>(row)][i] : INT_MAX - 1;
    if (among.has(numbers[i]) && far < least) {
      best = numbers[i];
      least = far;
    }
  }
  return best;
}

Nodes read_nodes(const std::string& folder) {
  Nodes found;
  found.numbers = list_of(folder + "/online");
  std::erase_if(found.numbers, [](int node) { return node >= kMostNodes; });
  if (found.numbers.empty()) {
    return {.numbers = {0}, .of_processor = {}, .distance = {}};
  }
  for (const int node : found.numbers) {
    for (const int processor : list_of(folder_of(folder, node) + "/cpulist")) {
      const auto at = static_cast<std::size_t>(processor);
      found.of_processor.resize(std::max(found.of_processor.size(), at + 1), -1);
      found.of_processor[at] = node;
    }
    found.distance.push_back(numbers_in(line_of(folder_of(folder, node) + "/distance")));
  }
  const bool is_square = std::ranges::all_of(
      found.distance, [&](const auto& row) { return row.size() == found.numbers.size(); });
  if (!is_square) {
    found.distance.clear();
  }
  return found;
}

const Nodes& nodes() {
  static const auto* const found = new Nodes(read_nodes(kNodeFolder));  // never destroyed
  return *found;
}

}  // namespace nestbind::memory::kernel
