// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "helpers.hpp"

namespace nestbind::machine::test {
namespace {

std::string complaint(const std::string& source, const Mask& mask = {}) {
  try {
    read_topology(source, mask);
  } catch (const Unreadable& unreadable) {
    return unreadable.what();
  }
  return "none";
}

Ints own_mask() {
  cpu_set_t set;
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  Ints cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

TEST_CASE("the running system can be read", "[machine][read]") {
  const Ints mask = own_mask();
  const Topology topology = read_topology("", mask);
  CHECK(topology.count(Kind::kPu) == static_cast<int>(mask.size()));
  CHECK(topology.cpu_limit() > mask.back());
  CHECK(topology.slots({1, 1}).slots.size() ==
        static_cast<std::size_t>(topology.count(Kind::kCore)));
  CHECK(own_mask() == mask);
  CHECK(read_topology("", Ints{mask.back()}).slots({}).slots.at(0).cpus == Ints{mask.back()});
}

TEST_CASE("other machines do not depend on this process's mask", "[machine][read]") {
  const Ints mask = own_mask();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(mask.front(), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const int barcelona = read_topology(file("barcelona.xml"), {}).count(Kind::kPu);
  const int synthetic = read_topology("pack:3 core:5 pu:1", {}).count(Kind::kPu);
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int cpu : mask) {
    CPU_SET(cpu, &all);
  }
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(barcelona == 16);
  CHECK(synthetic == 15);
}

TEST_CASE("the reason is given for a machine that cannot be read", "[machine][read]") {
  CHECK(complaint("nosuch.xml") ==
        "there is no file 'nosuch.xml', nor is it a synthetic description such as "
        "\"pack:2 numa:2 core:4 pu:1\"");
  CHECK(complaint("pack:2 core:4").find("it ends with the hardware threads") != std::string::npos);
  CHECK(complaint("pack:0 pu:1").find("it ends with") == std::string::npos);
  for (const char* text : {"pack:2 core", "pack:0", "core:-1", "x", " ", "core:2 pu:1 pu:2"}) {
    INFO(text);
    CHECK(complaint(text).find("nor is it a synthetic") != std::string::npos);
  }
  CHECK(complaint(std::string(100000, 'x')).find("nor is it a synthetic") != std::string::npos);
  CHECK(complaint("/tmp") == "'/tmp' is a folder, not the XML file of a machine");
  CHECK(complaint("/dev/null") ==
        "'/dev/null' is a device, pipe or socket, not the XML file of a machine");
  CHECK(complaint("core:2 pu:1", Ints{}) == "no processor of 'core:2 pu:1' may be used");
  CHECK(complaint("core:2 pu:1", Ints{2}) == "no processor of 'core:2 pu:1' may be used");
  CHECK(complaint("", Ints{}) == "no processor of this machine may be used");
}

TEST_CASE("damaged files are rejected", "[machine][read]") {
  std::ifstream in(file("barcelona.xml"));
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  REQUIRE(whole.size() > 3000);
  std::string renamed = whole;
  renamed.replace(renamed.find("type=\"Package\""), 14, "type=\"Hackage\"");
  const auto path = std::filesystem::temp_directory_path() /
                    ("nestbind-damaged-" + std::to_string(getpid()) + ".xml");
  for (const std::string& xml :
       {std::string(), whole.substr(0, 2000), std::string("<a>"), renamed, std::string(50, '\0')}) {
    std::ofstream(path) << xml;
    CHECK(complaint(path) == "'" + path.string() + "' is not an XML file that hwloc can read");
  }
  std::filesystem::remove(path);
  CHECK(complaint("/").find("is a folder") != std::string::npos);
}

TEST_CASE("endless files and huge machines are rejected", "[machine][read]") {
  CHECK(complaint("/dev/zero").find("is a device") != std::string::npos);
  CHECK(complaint("pu:100000000").find("more than 4096 processors") != std::string::npos);
  CHECK(complaint("pack:256 core:256 pu:2").find("more than 4096") != std::string::npos);
}

}  // namespace
}  // namespace nestbind::machine::test
