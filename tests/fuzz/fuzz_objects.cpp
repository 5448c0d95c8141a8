// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: the input is a file of objects (first byte `o`) or a text for a partitioner's process
// (first byte `r`). A file may be refused with a message. Otherwise every algorithm must balance
// the file's objects. An accepted text must not change if it is printed and read again.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "balance/assign.hpp"
#include "balance/objects.hpp"
#include "cli/balance/objects_file.hpp"
#include "mapping/object_graph.hpp"

namespace {

namespace balance = nestbind::balance;
namespace mapping = nestbind::mapping;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

constexpr int kSlots = 6;
constexpr int kNodes = 3;
constexpr int kNodeOfSlot[kSlots] = {0, 0, 1, 1, 1, 2};
constexpr double kFactor[kNodes * kNodes] = {1, 1.5, 2, 1.5, 1, 3, 2.5, 0.5, 1};

template <typename Algorithm>
void try_algorithm(const balance::Objects& objects, const balance::Machine& machine,
                   const std::vector<int>& before, Algorithm algorithm) {
  std::vector<double> memory(balance::work_bytes(objects.count, machine) / sizeof(double) + 1);
  std::vector<int> place = before;
  const int moved = algorithm(balance::work_in(memory.data(), objects.count, machine), place);
  require(balance::fault_of(objects, machine, place.data()).array == nullptr || place.empty(),
          "each object is on a slot");
  int others = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    others += place[i] != before[i] ? 1 : 0;
  }
  require(moved == others, "all objects that move are counted");
  std::vector<double> load(kSlots);
  const balance::Worth worth = balance::worth_of(objects, machine, place.data(), load.data());
  require(std::isfinite(worth.heaviest) && worth.remote_messages <= worth.messages,
          "the result has possible values");
}

void try_objects(const std::string& text) {
  nestbind::cli::balance::ObjectsFile file;
  if (!nestbind::cli::balance::parse(text, file).empty()) {
    return;
  }
  for (int& home : file.home) {
    home = home < 0 ? -1 : home % kNodes;
  }
  const balance::Objects objects = file.view();
  const balance::Machine machine{kSlots, kNodes, kNodeOfSlot, kFactor};
  require(balance::fault_of(objects).array == nullptr, "objects that were read are good");
  std::vector<int> before(file.load.size(), 0);
  for (std::size_t i = 0; i < file.slot.size(); ++i) {
    before[i] = file.slot[i] % kSlots;
  }
  try_algorithm(objects, machine, before, [&](const balance::Work& work, auto& place) {
    return balance::numa(objects, machine, 0.5, work, place.data());
  });
  try_algorithm(objects, machine, before, [&](const balance::Work& work, auto& place) {
    return balance::greedy(objects, machine, work, place.data());
  });
  try_algorithm(objects, machine, before, [&](const balance::Work& work, auto& place) {
    return balance::refine(objects, machine, {.tolerance = 0.02}, work, place.data());
  });
  const auto graph = mapping::graph_of(objects, kSlots);
  require(mapping::parse_graph(mapping::print_graph(graph)).has_value(),
          "a partitioner can read the question");
}

void try_graph(const std::string& text) {
  if (const auto graph = mapping::parse_graph(text)) {
    const std::string again = mapping::print_graph(*graph);
    const auto same = mapping::parse_graph(again);
    require(same && mapping::print_graph(*same) == again,
            "a graph is the same after printing and reading");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == 'r') {
    try_graph(text);
  } else if (data[0] == 'o') {
    try_objects(text);
  }
  return 0;
}
