// SPDX-License-Identifier: BSD-3-Clause
// Short forms for tests of machines.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "machine/machine_topology.hpp"

namespace nestbind::machine::test {

using hwloc::read_hardware;
using Mask = std::optional<std::vector<int>>;
using Ints = std::vector<int>;

// Returns the path of a file in tests/machines, or of a real machine's file.
inline std::string file(const std::string& name) {
  return NESTBIND_SOURCE_DIR "/tests/machines/" + name;
}
inline std::string real_folder() { return NESTBIND_SOURCE_DIR "/../shared/machines/real"; }

// Copies a machine's file, and replaces texts in the copy. The destructor removes the copy. Each
// replaced text must occur in the file.
class Edited {
 public:
  Edited(const std::string& name,
         const std::vector<std::pair<std::string, std::string>>& replacements) {
    std::ifstream in(file(name));
    std::string xml((std::istreambuf_iterator<char>(in)), {});
    for (const auto& [from, to] : replacements) {
      std::size_t at = xml.find(from);
      REQUIRE(at != std::string::npos);
      for (; at != std::string::npos; at = xml.find(from, at + to.size())) {
        xml.replace(at, from.size(), to);
      }
    }
    std::ofstream(path_) << xml;
  }
  ~Edited() { std::filesystem::remove(path_); }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("nestbind-edited-" + std::to_string(getpid()) + ".xml");
};

inline Ints up_to(int last) {
  Ints cpus;
  for (int cpu = 0; cpu <= last; ++cpu) {
    cpus.push_back(cpu);
  }
  return cpus;
}

inline Topology read_topology(const std::string& source, const Mask& mask) {
  return Topology::of(read_hardware(source), source, mask);
}

inline Machine slots(const std::string& source, const Choice& choice = {}, const Mask& mask = {}) {
  return read_topology(source, mask).slots(choice);
}

inline std::string text(const std::vector<Slot>& slots) {
  std::string line;
  for (const Slot& slot : slots) {
    std::string cpus;
    for (int cpu : slot.cpus) {
      cpus += (cpus.empty() ? "" : ",") + std::to_string(cpu);
    }
    line += (line.empty() ? "" : " ") + (slot.cpus.size() == 1 ? cpus : "{" + cpus + "}");
  }
  return line;
}

inline std::string slot_text(const std::string& source, const Choice& choice = {},
                             const Mask& mask = {}) {
  return text(slots(source, choice, mask).slots);
}

// Returns each node's number of slots, and its children in brackets: "4[2[1 1] 2]".
inline std::string tree_text(const Machine& machine, int node = 0) {
  const Node& here = machine.nodes[node];
  std::string line = std::to_string(here.end - here.begin);
  std::string children;
  for (int child : here.children) {
    children += (children.empty() ? "" : " ") + tree_text(machine, child);
  }
  return children.empty() ? line : line + "[" + children + "]";
}

inline const Partition& kind(const Machine& machine, Kind kind) {
  return machine.kinds[static_cast<int>(kind)];
}

inline std::vector<Ints> obstacle_sizes(const Machine& machine) {
  std::vector<Ints> sizes;
  for (const Partition& obstacle : machine.obstacles) {
    sizes.push_back(obstacle.slots_in);
  }
  return sizes;
}

inline Ints alike(int count, int size) { return Ints(count, size); }

}  // namespace nestbind::machine::test
