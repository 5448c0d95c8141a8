// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "memory/kernel/memory_nodes.hpp"

namespace nestbind::memory::kernel::test {
namespace {

class NodeFolder {
 public:
  NodeFolder() {
    char name[] = "/tmp/nestbind-nodes-XXXXXX";
    name_ = mkdtemp(name);
  }
  NodeFolder(const NodeFolder&) = delete;
  NodeFolder& operator=(const NodeFolder&) = delete;
  ~NodeFolder() { std::filesystem::remove_all(name_); }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = name_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

NodeSet set_of(std::initializer_list<int> nodes) {
  NodeSet set;
  for (const int node : nodes) {
    set.add(node);
  }
  return set;
}

TEST_CASE("nodes, their processors and distances are read", "[memory]") {
  const NodeFolder folder;
  folder.write("online", "0,2-3");
  folder.write("node0/cpulist", "0-1,8");
  folder.write("node2/cpulist", "2-3");
  folder.write("node3/cpulist", "");
  folder.write("node0/distance", "10 16 22");
  folder.write("node2/distance", "16 10 16");
  folder.write("node3/distance", "22 16 10");
  const Nodes nodes = read_nodes(folder.name());
  CHECK(nodes.numbers == std::vector<int>{0, 2, 3});
  CHECK(nodes.of(0) == 0);
  CHECK(nodes.of(3) == 2);
  CHECK(nodes.of(8) == 0);
  CHECK(nodes.of(5) == 0);   // processor 5 is in no node
  CHECK(nodes.of(99) == 0);  // there is no processor 99
  CHECK(nodes.of(-1) == 0);
  CHECK(nodes.nearest(2, set_of({0, 2, 3})) == 2);
  CHECK(nodes.nearest(2, set_of({0, 3})) == 0);  // if distances are equal, the lowest number
  CHECK(nodes.nearest(3, set_of({0, 2})) == 2);
  CHECK(nodes.nearest(0, {}) == 0);
  CHECK(nodes.nearest(7, set_of({2, 3})) == 2);  // node 7 is not known
}

TEST_CASE("a system without NUMA has one node", "[memory]") {
  const NodeFolder folder;
  const Nodes nodes = read_nodes(folder.name());
  CHECK(nodes.numbers == std::vector<int>{0});
  CHECK(nodes.of(5) == 0);
}

TEST_CASE("an incomplete table of distances is left out", "[memory]") {
  const NodeFolder folder;
  folder.write("online", "0-1");
  folder.write("node0/distance", "10");
  folder.write("node1/distance", "10 20");
  const Nodes nodes = read_nodes(folder.name());
  CHECK(nodes.distance.empty());
  CHECK(nodes.nearest(1, set_of({0})) == 0);
}

}  // namespace
}  // namespace nestbind::memory::kernel::test
