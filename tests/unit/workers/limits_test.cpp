// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/helpers/folder.hpp"
#include "workers/census.hpp"

using namespace nestbind::workers;

namespace {

class Files {
 public:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void mount(const std::string& line) const { write("proc/self/mountinfo", line); }
  long left() const { return cgroup_threads_left(folder_.path().c_str()); }

 private:
  Folder folder_;
};

constexpr char kOne[] = "32 31 0:29 / /fs/pids rw,relatime - cgroup cgroup rw,pids\n";

}  // namespace

TEST_CASE("half of the room stays free") {
  CHECK(more_to_keep(10, 0) == 5);
  CHECK(more_to_keep(5, 5) == 0);  // the 5 kept workers are half of the room
  CHECK(more_to_keep(2, 6) < 0);
  CHECK(more_to_keep(1, 0) == 0);
  CHECK(more_to_keep(0, 0) == 0);
}

TEST_CASE("groups of version 2 limit the number of workers") {
  const Files files;
  files.mount("30 23 0:27 / /fs rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  files.write("proc/self/cgroup", "0::/user/job\n");
  CHECK(files.left() == kUnlimited);
  files.write("fs/user/job/pids.max", "max\n");
  files.write("fs/user/job/pids.current", "7\n");
  CHECK(files.left() == kUnlimited);
  files.write("fs/user/pids.max", "100\n");
  files.write("fs/user/pids.current", "40\n");
  CHECK(files.left() == 60);
  files.write("fs/user/job/pids.max", "20\n");
  CHECK(files.left() == 13);
}

TEST_CASE("groups of version 1 limit the number of workers") {
  const Files files;
  files.mount(kOne);
  files.write("proc/self/cgroup", "9:name=systemd:/\n8:cpu,pids:/a\n7:blkio:/b\n");
  files.write("fs/pids/a/pids.max", "32\n");
  files.write("fs/pids/a/pids.current", "30\n");
  files.write("fs/b/pids.max", "1\n");
  files.write("fs/b/pids.current", "1\n");
  CHECK(files.left() == 2);
}

// The name is the host's name, but the files are the container's.
TEST_CASE("the mounted group counts if the process's group cannot be seen") {
  const Files files;
  files.mount(kOne);
  files.write("proc/self/cgroup", "8:pids:/docker/0123\n");
  files.write("fs/pids/pids.max", "50\n");
  files.write("fs/pids/pids.current", "10\n");
  CHECK(files.left() == 40);
  files.write("proc/self/cgroup", "8:pids:/\n");
  CHECK(files.left() == 40);
}

TEST_CASE("without the files there is no limit") { CHECK(Files().left() == kUnlimited); }
