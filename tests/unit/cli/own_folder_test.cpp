// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/own_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli;

TEST_CASE("The user's own folder is made once, with access for this user only", "[own_folder]") {
  const Folder session;
  const Variable xdg("XDG_RUNTIME_DIR", session.path());
  std::string fault;
  const auto path = own_folder("name", fault);
  REQUIRE(path == session.path() + "/nestbind/name");
  struct stat status{};
  REQUIRE(stat(path->c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK(own_folder("name", fault) == path);
  CHECK(fault.empty());
  REQUIRE(chmod(path->c_str(), 0750) == 0);
  CHECK_FALSE(own_folder("name", fault));
  CHECK(fault == *path + " is not a folder of this user alone (mode 0700)");
}

TEST_CASE("Parents that others can write, or that the loader cannot name, are not used",
          "[own_folder]") {
  const Folder session;
  const Folder temporary;
  const Variable tmpdir("TMPDIR", temporary.path());
  const std::string expected =
      temporary.path() + "/nestbind-" + std::to_string(geteuid()) + "/name";
  const auto checked = [&](const std::string& parent) {
    const Variable xdg("XDG_RUNTIME_DIR", parent);
    std::string fault;
    CHECK(own_folder("name", fault) == expected);
  };
  checked("");
  checked("relative");
  checked(session.path() + "/nosuch");
  checked(session.file("file", ""));
  for (const char* name : {"a:b", "a;b", "a$b"}) {
    REQUIRE(mkdir((session.path() + "/" + name).c_str(), 0700) == 0);
    checked(session.path() + "/" + name);
  }
  REQUIRE(chmod(session.path().c_str(), 0777) == 0);
  checked(session.path());
  std::string fault;
  CHECK_FALSE(own_folder("a:b", fault));
  CHECK(fault == "a:b: a folder of this name cannot be in LD_LIBRARY_PATH");
}

TEST_CASE("A link is made once, and an existing link must have the same target", "[own_folder]") {
  const Folder folder;
  std::string fault;
  CHECK(make_link(folder.path(), "link", "/target", fault));
  CHECK(make_link(folder.path(), "link", "/target", fault));
  CHECK_FALSE(make_link(folder.path(), "link", "/other", fault));
  CHECK(fault == folder.path() + "/link exists, but does not lead to /other");
  folder.file("file", "");
  CHECK_FALSE(make_link(folder.path(), "file", "/target", fault));
  CHECK_FALSE(make_link(folder.path() + "/nosuch", "link", "/target", fault));
}
