// SPDX-License-Identifier: BSD-3-Clause
// Tests the two ways to get a user's machine: libnestbind-topology.so, and a command's record.
#include <sys/stat.h>

#include "helpers.hpp"
#include "machine/loading/load_machine.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;
namespace fs = std::filesystem;

namespace {

const std::string kLibrary = NESTBIND_TOPOLOGY;

std::string complaint(const std::string& source) {
  try {
    loading::load_and_read(kLibrary, source);
  } catch (const Unreadable& unreadable) {
    return unreadable.what();
  }
  return "none";
}

// Without a record the machine cannot be read, because the program's folder has no
// libnestbind-topology.so.
bool is_found(const std::string& source, const std::string& records) {
  try {
    return loading::find_given(source, records.c_str()) == read_hardware(source);
  } catch (const Unreadable&) {
    return false;
  }
}

}  // namespace

TEST_CASE("the library reads the machines that a user names") {
  for (const std::string& source :
       {file("barcelona.xml"), file("hybrid.xml"), file("numa32.xml"),
        std::string("pack:2 [numa] core:2 pu:2"), std::string("core:64 pu:16")}) {
    INFO(source);
    CHECK(loading::load_and_read(kLibrary, source) == read_hardware(source));
  }
}

TEST_CASE("the reason is given if a machine cannot be read") {
  CHECK(complaint("nosuch.xml").find("there is no file 'nosuch.xml'") == 0);
  CHECK(complaint("pu:4097").find("'pu:4097' has more than 4096 processors") == 0);
  CHECK(complaint("a\nb\x1b").find("there is no file 'a?b?'") == 0);
  const Folder folder;
  for (const char* text : {"", "no XML", "<?xml version=\"1.0\"?><topology", "\x01\x02"}) {
    const std::string name = folder.file("broken.xml", text);
    INFO(text);
    CHECK(complaint(name).find("'" + name + "' is not an XML file that hwloc can read") == 0);
  }
}

TEST_CASE("a machine that was handed over is not read again") {
  const Folder folder;
  const std::string records = folder.path() + "/records";
  const std::string xml = folder.file("given.xml", content(file("barcelona.xml")));
  const std::string described = "pack:2 core:2 pu:1";
  for (const std::string& source : {xml, described}) {
    INFO(source);
    CHECK_FALSE(is_found(source, records));
    REQUIRE(loading::hand_over(read_hardware(source), "no library", source, records));
    CHECK(is_found(source, records));
  }
  CHECK_FALSE(is_found("pack:2 core:3 pu:1", records));

  std::ofstream(xml, std::ios::app) << "\n";
  CHECK_FALSE(is_found(xml, records));

  for (const auto& record : fs::directory_iterator(records)) {
    fs::resize_file(record, fs::file_size(record) - 1);
  }
  CHECK_FALSE(is_found(described, records));
}

TEST_CASE("a record is used only if nobody else can write to its folder") {
  const Folder folder;
  REQUIRE(loading::hand_over(read_hardware("pu:2"), "no library", "pu:2", folder.path()));
  REQUIRE(is_found("pu:2", folder.path()));
  chmod(folder.path().c_str(), 0777);
  CHECK_FALSE(is_found("pu:2", folder.path()));
  CHECK_FALSE(loading::hand_over(read_hardware("pu:3"), "no library", "pu:3", folder.path()));
  CHECK_FALSE(loading::hand_over(read_hardware("pu:3"), "no library", "pu:3", "/nowhere/at/all"));
}
