// SPDX-License-Identifier: BSD-3-Clause
// The tests read files in the kernel's format, from a folder that replaces the root folder.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/inspect/running.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::cli::inspect;

namespace {

class Root {
 public:
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder_.path() + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  std::string path() const { return folder_.path(); }

 private:
  Folder folder_;
};

constexpr char kTwo[] = "30 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
constexpr char kOne[] =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 /job /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n";

}  // namespace

TEST_CASE("cgroup 2 gives the smallest quota of all parents and the innermost cpuset") {
  Root root;
  root.put("/proc/self/mountinfo", kTwo);
  root.put("/proc/7/cgroup", "0::/slice/job/step\n");
  root.put("/sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
  root.put("/sys/fs/cgroup/slice/job/cpu.max", "150000 100000\n");
  root.put("/sys/fs/cgroup/slice/cpu.max", "400000 100000\n");
  root.put("/sys/fs/cgroup/slice/job/cpuset.cpus.effective", "0-3,8\n");
  root.put("/sys/fs/cgroup/cpuset.cpus.effective", "0-15\n");
  const Limits limits = limits_of("7", root.path());
  CHECK(limits.quota.processors() == Approx(1.5));
  CHECK(limits.quota.folder == std::string("/sys/fs/cgroup/slice/job"));
  CHECK(limits.cpuset == "0-3,8");
  CHECK(limits.cpuset_group == "/sys/fs/cgroup/slice/job");
}

TEST_CASE("cgroup 1 has a hierarchy for each controller, and a mount may show only a part of it") {
  Root root;
  root.put("/proc/self/mountinfo", kOne);
  root.put("/proc/7/cgroup", "5:cpu,cpuacct:/job\n3:cpuset:/job/step\n0::/\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "50000\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  root.put("/sys/fs/cgroup/cpuset/step/cpuset.cpus", "4-5\n");
  const Limits limits = limits_of("7", root.path());
  CHECK(limits.quota.processors() == Approx(0.5));
  CHECK(limits.quota.folder == std::string("/sys/fs/cgroup/cpu,cpuacct/job"));
  CHECK(limits.cpuset == "4-5");
  CHECK(limits.cpuset_group == "/sys/fs/cgroup/cpuset/step");
}

TEST_CASE("no limits are found without cgroup files or if the files set none") {
  Root root;
  CHECK(limits_of("7", root.path()).quota.time == 0);
  root.put("/proc/self/mountinfo", kTwo);
  root.put("/proc/7/cgroup", "0::/\n");
  root.put("/sys/fs/cgroup/cpu.max", "max 100000\n");
  const Limits limits = limits_of("7", root.path());
  CHECK(limits.quota.time == 0);
  CHECK(limits.cpuset.empty());
}

TEST_CASE("threads, variables and mapped files of a running process are read") {
  Root root;
  root.put("/proc/7/task/9/status", "Name:\tworker\nCpus_allowed:\t2\nCpus_allowed_list:\t1\n");
  root.put("/proc/7/task/7/status", "Name:\tprogram\nCpus_allowed_list:\t0-3\n");
  root.put("/proc/7/environ", std::string("A=1\0B=x=y\0nothing\0", 18));
  root.put("/proc/7/maps",
           "7f0000000000-7f0000001000 r--p 00000000 08:01 11    /usr/lib/libgomp.so.1.0.0\n"
           "7f0000001000-7f0000002000 r-xp 00001000 08:01 11    /usr/lib/libgomp.so.1.0.0\n"
           "7f0000003000-7f0000004000 r-xp 00000000 08:01 12    /a folder/libnestbind.so.0\n"
           "7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0     [vdso]\n");
  const Running running = look_at(7, root.path());
  REQUIRE(running.threads.size() == 2);
  CHECK(running.threads[0].number == 7);
  CHECK(running.threads[0].cpus == "0-3");
  CHECK(running.threads[1].name == "worker");
  REQUIRE(running.variables);
  CHECK(*running.variables ==
        std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "x=y"}});
  REQUIRE(running.libraries);
  CHECK(*running.libraries ==
        std::vector<std::string>{"/usr/lib/libgomp.so.1.0.0", "/a folder/libnestbind.so.0"});
  const Running none = look_at(8, root.path());
  CHECK(none.threads.empty());
  CHECK(!none.variables);
  CHECK(!none.libraries);
}
