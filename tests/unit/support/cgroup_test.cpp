// SPDX-License-Identifier: BSD-3-Clause
// Tests CPU quotas in the kernel's format.
#include "support/cgroup.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::support;

namespace {

class Root {
 public:
  const Root& put(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return *this;
  }
  CpuQuota quota() const { return cpu_quota({.process = "self", .root = folder_.path().c_str()}); }
  int threads() const { return quota().time == 0 ? 0 : quota().threads(); }

 private:
  Folder folder_;
};

const char kGroups[] = "/proc/self/cgroup";
const char kMounts[] = "/proc/self/mountinfo";
const std::string kTwo = "30 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
const std::string kOne =
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

}  // namespace

TEST_CASE("a quota of version 2 gives the number of threads that can run at once") {
  const Root root;
  root.put(kMounts, kTwo).put(kGroups, "0::/job\n");
  CHECK(root.threads() == 0);
  for (const auto& [text, threads] :
       {std::pair("max 100000\n", 0), std::pair("50000 100000\n", 1),
        std::pair("100000 100000\n", 1), std::pair("150000 100000\n", 2),
        std::pair("200000 100000\n", 2), std::pair("1000 1000\n", 1), std::pair("0 100000\n", 0),
        std::pair("100000 0\n", 0), std::pair("100000\n", 0), std::pair("", 0),
        std::pair("-1 100000\n", 0), std::pair("99999999999999999999 1\n", INT_MAX)}) {
    INFO(text);
    CHECK(root.put("/sys/fs/cgroup/job/cpu.max", text).threads() == threads);
  }
}

TEST_CASE("the smallest quota of a group and its parents counts in version 2") {
  const Root root;
  root.put(kMounts, kTwo).put(kGroups, "0::/slice/job/step\n");
  root.put("/sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
  root.put("/sys/fs/cgroup/slice/job/cpu.max", "400000 100000\n");
  CHECK(root.threads() == 4);
  root.put("/sys/fs/cgroup/slice/cpu.max", "150000 50000\n");
  CHECK(root.threads() == 3);
  CHECK(root.quota().folder == std::string("/sys/fs/cgroup/slice"));
  root.put("/sys/fs/cgroup/slice/job/step/cpu.max", "20000 100000\n");
  CHECK(root.threads() == 1);
  root.put("/sys/fs/cgroup/slice-of-another/cpu.max", "1000 100000\n");
  CHECK(root.quota().folder == std::string("/sys/fs/cgroup/slice/job/step"));
}

TEST_CASE("the hierarchy with the controller cpu counts in version 1") {
  const Root root;
  root.put(kMounts, kOne).put(kGroups, "5:cpuset:/other\n4:cpu,cpuacct:/job/step\n0::/\n");
  const std::string job = "/sys/fs/cgroup/cpu,cpuacct/job/";
  root.put(job + "step/cpu.cfs_quota_us", "-1\n").put(job + "step/cpu.cfs_period_us", "100000\n");
  CHECK(root.threads() == 0);
  root.put(job + "cpu.cfs_quota_us", "250000\n").put(job + "cpu.cfs_period_us", "100000\n");
  CHECK(root.threads() == 3);
  root.put(job + "step/cpu.cfs_quota_us", "50000\n");
  CHECK(root.threads() == 1);
  CHECK(root.quota().processors() == Approx(0.5));
}

TEST_CASE("both versions may be mounted at the same time") {
  const Root root;
  root.put(kMounts, "38 31 0:35 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" + kOne);
  root.put(kGroups, "4:cpu,cpuacct:/job\n0::/job\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "200000\n");
  root.put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  CHECK(root.threads() == 2);
  root.put(kGroups, "5:cpuset:/job\n0::/job\n");
  root.put("/sys/fs/cgroup/unified/job/cpu.max", "100000 100000\n");
  CHECK(root.threads() == 1);
}

TEST_CASE("a container's mount shows its own group as the root") {
  const Root root;
  const std::string mount = "/sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
  root.put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  root.put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  root.put("/sys/fs/cgroup/cpu/in/cpu.cfs_quota_us", "100000\n");
  root.put("/sys/fs/cgroup/cpu/in/cpu.cfs_period_us", "100000\n");
  root.put(kMounts, "32 31 0:29 /docker/01 " + mount);
  CHECK(root.put(kGroups, "4:cpu:/docker/01\n").threads() == 2);
  CHECK(root.put(kGroups, "4:cpu:/docker/01/in\n").threads() == 1);
  CHECK(root.put(kGroups, "4:cpu:/docker/012/in\n").threads() == 2);  // its folder is not visible
  root.put(kMounts, "32 31 0:29 / " + mount);
  CHECK(root.put(kGroups, "4:cpu:/docker/01\n").threads() == 2);
  CHECK(root.put(kGroups, "4:cpu:/\n").threads() == 2);
  CHECK(root.put(kGroups, "4:cpu:/in\n").threads() == 1);
}

TEST_CASE("mounts at other places are found after lines of any length") {
  const Root root;
  const std::string before = "31 23 0:28 / / rw - overlay overlay rw,lowerdir=";
  for (const std::size_t letters : {0, 4000, 4046, 4047, 4048, 5000, 8142, 8143, 100000}) {
    INFO(letters);
    root.put(kMounts, before + std::string(letters, 'x') + "\n30 23 0:27 / /groups rw shared:4 " +
                          "master:2 - cgroup2 none rw\n");
    root.put(kGroups, "0::/\n").put("/groups/cpu.max", "300000 100000\n");
    CHECK(root.threads() == 3);
  }
}

TEST_CASE("there is no quota if nothing is mounted or the files are damaged") {
  const Root root;
  CHECK(root.threads() == 0);
  root.put("/sys/fs/cgroup/cpu.max", "100000 100000\n").put(kGroups, "0::/\n");
  CHECK(root.put(kMounts, "").threads() == 0);
  CHECK(root.put(kMounts, "30 23 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n").threads() ==
        0);
  CHECK(root.put(kMounts, kTwo).threads() == 1);
  for (const char* damaged : {"", "\n", "0:", "0:cpu", "4:cpu:/\n", "cpu"}) {
    INFO(damaged);
    CHECK(root.put(kGroups, damaged).threads() == 0);
  }
}
