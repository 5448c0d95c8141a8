// SPDX-License-Identifier: BSD-3-Clause
// Reading a file of NESTBIND_ORDER gives an order or a message, and never waits.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "planner/planner_found.hpp"

using namespace nestbind;
using planner::read_order;

namespace {

class Folder {
 public:
  Folder() { REQUIRE(mkdtemp(name_) != nullptr); }
  ~Folder() { std::filesystem::remove_all(name_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& file) const { return std::string(name_) + "/" + file; }
  std::string written(const std::string& file, const std::string& text) const {
    std::ofstream(path(file)) << text;
    return path(file);
  }

 private:
  char name_[sizeof "/tmp/nestbind-order-XXXXXX"] = "/tmp/nestbind-order-XXXXXX";
};

std::string fault_of(const std::string& file) {
  plan::Order order;
  const std::string fault = read_order(file.c_str(), order);
  CHECK(order.is_plain());
  return fault;
}

}  // namespace

TEST_CASE("an order file is read") {
  const Folder folder;
  plan::Order order;
  CHECK(read_order(folder.written("order", "team: 0 2 1\n").c_str(), order).empty());
  CHECK(order.teams() == plan::Order::Teams{{{}, {0, 2, 1}}});
}

TEST_CASE("the reason is given if an order file cannot be read") {
  const Folder folder;
  CHECK(fault_of(folder.path("none")) == folder.path("none") + ": No such file or directory");
  CHECK(fault_of(folder.path("")) == folder.path("") + ": Is a directory");
  REQUIRE(mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  CHECK(fault_of(folder.path("fifo")) == folder.path("fifo") + ": Invalid argument");
  CHECK(fault_of("/dev/zero") == "/dev/zero: Invalid argument");
  const std::string large = folder.written("large", "team: 0\n");
  std::filesystem::resize_file(large, 17 << 20);
  CHECK(fault_of(large) == large + ": File too large");
  CHECK(fault_of(folder.written("bad", "team: 0 0")) ==
        folder.path("bad") +
            ", line 1, column 9: two members on one place, expected each number once\n"
            "  team: 0 0\n          ^");
  CHECK(fault_of(folder.written("a\nb", "x"))
            .starts_with(folder.path("a?b") + ", line 1, column 1: "));
}

TEST_CASE("a message has the end of a long name") {
  const std::string fault = fault_of("/" + std::string(500, 'x') + "/end");
  CHECK(fault.starts_with("...xxx"));
  CHECK(fault.find("xxx/end: ") != std::string::npos);
  CHECK(fault.size() < 400);
}
