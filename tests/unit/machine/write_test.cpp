// SPDX-License-Identifier: BSD-3-Clause
// Writes measurements in hwloc's XML, and checks what hwloc's own tools show.
#include "machine/hwloc/write.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "helpers.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;

namespace {

// While this object exists, hwloc reads this file instead of the running system.
class RunsOn {
 public:
  explicit RunsOn(const std::string& machine) { setenv("HWLOC_XMLFILE", file(machine).c_str(), 1); }
  ~RunsOn() { unsetenv("HWLOC_XMLFILE"); }
  RunsOn(const RunsOn&) = delete;
  RunsOn& operator=(const RunsOn&) = delete;
};

// Each sequence of blanks becomes one blank.
std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
    std::string line;
    for (const char* c = buffer; *c != '\0' && *c != '\n'; ++c) {
      if (*c != ' ' || (!line.empty() && line.back() != ' ')) {
        line += *c;
      }
    }
    lines.push_back(line);
  }
  CHECK(pclose(pipe) == 0);
  return lines;
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

constexpr unsigned kNs[] = {90,  130, 131, 170, 132, 91,  171, 133,
                            134, 172, 92,  135, 173, 136, 137, 93};
constexpr unsigned kMegabytes[] = {9000, 4001, 4002, 2001, 4003, 9001, 2002, 4004,
                                   4005, 2003, 9002, 4006, 2004, 4007, 4008, 9003};

}  // namespace

TEST_CASE("measured distances are written to XML, and lstopo shows them", "[machine][write]") {
  const RunsOn barcelona("barcelona.xml");
  const Folder folder;
  const std::string name = folder.path() + "/measured.xml";
  hwloc::write_xml(name, {.nodes = 4, .ns = kNs, .megabytes = kMegabytes});

  const auto distances = lines_of("lstopo-no-graphics --distances -i " + name);
  CHECK(has(distances,
            "Relative latency matrix (name nestbind probe kind 6) between 4 NUMANodes (depth -3) "
            "by logical indexes:"));
  CHECK(has(distances, "0 90 130 131 170"));
  CHECK(has(distances, "3 173 136 137 93"));

  const auto attributes = lines_of("lstopo-no-graphics --memattrs -i " + name);
  CHECK(has(attributes, "NUMANode L#2 = 131 from cpuset 0x0000000f (Package L#0)"));
  CHECK(has(attributes, "NUMANode L#3 = 4006 from cpuset 0x00000f00 (Package L#2)"));
}

TEST_CASE("a node without measurements is not in the matrix", "[machine][write]") {
  const RunsOn barcelona("barcelona.xml");
  const Folder folder;
  const std::string name = folder.path() + "/measured.xml";
  std::vector<unsigned> ns(std::begin(kNs), std::end(kNs));
  for (int i = 0; i < 4; ++i) {
    ns[4 * 1 + i] = ns[4 * i + 1] = 0;
  }
  hwloc::write_xml(name, {.nodes = 4, .ns = ns.data(), .megabytes = kMegabytes});
  const auto distances = lines_of("lstopo-no-graphics --distances -i " + name);
  CHECK(has(distances, "0 90 131 170"));
  CHECK(has(distances, "2 134 92 135"));
  CHECK(has(distances, "3 173 137 93"));
}

TEST_CASE("the reason is given if the XML cannot be written", "[machine][write]") {
  const RunsOn barcelona("barcelona.xml");
  CHECK_THROWS_WITH(
      hwloc::write_xml("/no/folder", {.nodes = 4, .ns = kNs, .megabytes = kMegabytes}),
      "cannot write '/no/folder': No such file or directory");
}
