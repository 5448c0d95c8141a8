// SPDX-License-Identifier: BSD-3-Clause
// The test replaces the kernel, and the functions that judge a region: here each region is to be
// interleaved. The machine has two nodes.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "cli/memory/memory_parts.hpp"
#include "memory/kernel/mappings.hpp"
#include "memory/kernel/memory_nodes.hpp"
#include "memory/orders/order_file.hpp"
#include "memory/spread/mover.hpp"
#include "tests/unit/helpers/folder.hpp"

namespace nestbind::memory {

namespace kernel {
const Nodes& nodes() {
  static const Nodes two{.numbers = {0, 1}, .of_processor = {0, 1}, .distance = {}};
  return two;
}
std::size_t page_bytes() { return 4096; }
std::size_t huge_bytes() { return std::size_t{2} << 20; }
int find_nodes(const Range& /*range*/, std::span<int> nodes, int /*process*/) {
  std::ranges::fill(nodes, 0);
  return 0;
}
int move(std::span<const std::uintptr_t> /*pages*/, std::span<const int> /*nodes*/,
         std::span<int> /*status*/, int /*process*/) {
  return 0;
}
int set_policy(const Range& /*range*/, Policy /*policy*/, const NodeSet& /*nodes*/) { return 0; }
}  // namespace kernel

namespace spread {
Goal Goal::evenly(std::vector<int> /*nodes*/) { return {}; }
Outcome bring(Pages& /*pages*/, const kernel::Range& /*range*/, Goal /*goal*/,
              std::size_t /*unit*/) {
  return {};
}
}  // namespace spread

namespace watch {
Verdict judge(const Facts& /*facts*/) {
  Verdict verdict;
  verdict.now.local = 50;
  return verdict;
}
bool is_to_be_interleaved(const Facts& /*facts*/, const Verdict& /*verdict*/,
                          std::span<const double> /*pages_on*/) {
  return true;
}
// Fewer uses are local after the change.
Figures figures_of(const Facts& /*facts*/, const std::function<int(const Use&)>& /*home*/) {
  return {};
}
}  // namespace watch

}  // namespace nestbind::memory

namespace nestbind::cli::memory {

std::vector<double> percent_of(const std::vector<std::uint64_t>& /*counts*/) { return {100, 0}; }
watch::Facts facts_of(const Watched& /*watched*/, const watch::Region& /*region*/,
                      const Watcher& /*watcher*/, bool /*at_end*/) {
  return {};
}

namespace {

using nestbind::memory::OrderFile;

constexpr std::uint32_t kMost = OrderFile::kMost;

// The file of orders, as the watched program sees it.
class Program {
 public:
  explicit Program(const std::string& name) {
    const int file = open(name.c_str(), O_RDWR);
    mapped_ = mmap(nullptr, sizeof(OrderFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
  }
  ~Program() { munmap(mapped_, sizeof(OrderFile)); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  std::uint32_t orders() const { return file().count; }
  void obey() const {
    for (std::uint32_t i = 0; i < orders(); ++i) {
      file().orders[i].answer = 0;
    }
  }

 private:
  OrderFile& file() const { return *static_cast<OrderFile*>(mapped_); }
  void* mapped_;
};

struct Scene {
  explicit Scene(std::uint64_t regions) {
    std::vector<watch::Area> areas;
    for (std::uint64_t i = 1; i <= regions; ++i) {
      areas.push_back({i << 20, (i << 20) + 8192, ""});
    }
    watched.table.begin_look(1, areas);
    watched.table.end_look(0);
  }
  void look() { applier.looked(watched, *reinterpret_cast<const Watcher*>(&no_watcher)); }
  auto count(auto member) const { return std::ranges::count_if(applier.done(), member); }

  Folder folder;
  Applier applier{folder.path()};
  Watched watched{1, 0};
  char no_watcher = 0;  // nobody looks at it
};

}  // namespace

TEST_CASE("an order is obeyed, and undone once if fewer uses are local") {
  Scene scene(3);
  const Program program(scene.applier.file());
  scene.look();
  CHECK(program.orders() == 3);
  scene.look();
  CHECK(program.orders() == 3);
  program.obey();
  scene.look();
  scene.look();
  CHECK(program.orders() == 6);
  CHECK(scene.count(&Applied::is_undone) == 3);
}

TEST_CASE("regions for which the file of orders has no room are not interleaved") {
  Scene scene(kMost + 10);
  const Program program(scene.applier.file());
  scene.look();
  scene.look();
  CHECK(program.orders() == kMost);
  REQUIRE(scene.applier.done().size() == kMost + 10);
  CHECK(scene.count([](const Applied& one) { return !one.fault.empty(); }) == 10);
  CHECK(scene.count([](const Applied& one) { return one.fault.starts_with("Unknown"); }) == 0);
}

TEST_CASE("a change that cannot be written is not reported") {
  Scene scene(kMost - 2);
  const Program program(scene.applier.file());
  scene.look();
  program.obey();
  scene.look();
  scene.look();
  CHECK(program.orders() == kMost);
  CHECK(scene.count(&Applied::is_undone) == 2);
  CHECK(scene.count(&Applied::is_over) == kMost - 2);
}

}  // namespace nestbind::cli::memory
