// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli::inspect;

TEST_CASE("The interpreter of a script", "[program]") {
  const Folder folder;
  const auto script = [&](const std::string& text) {
    return read_script(folder.file("script", text));
  };
  CHECK(script("#!/bin/sh\necho").interpreter == "/bin/sh");
  CHECK(script("#! \t/bin/sh  -e -x \r\n").interpreter == "/bin/sh");
  CHECK(script("#!/bin/sh\r\n").interpreter == "/bin/sh");
  CHECK(script("#!/bin/sh").program == "/bin/sh");
  CHECK(script("#!/usr/bin/env -S A=1 python3 -x\n").program == "python3");
  CHECK(script("#!/usr/bin/env -S\n").program.empty());
  CHECK(script("#!\n/bin/sh").interpreter.empty());
  CHECK(script("#").interpreter.empty());
  CHECK(script("").interpreter.empty());
  CHECK(read_script("/no/such").interpreter.empty());
}

TEST_CASE("What execvp would start", "[program]") {
  const Folder folder;
  const Variable path("PATH", "/no/such:" + folder.path());
  const std::string plain = folder.file("plain", "");
  const std::string program = folder.file("program", "", 0755);
  CHECK(find_program("program") == program);
  CHECK_FALSE(find_program("plain"));
  CHECK(find_program(plain) == plain);
  CHECK_FALSE(find_program("./no/such"));
  CHECK_FALSE(find_program(""));
}

TEST_CASE("What the loader grants", "[program]") {
  const Folder folder;
  const std::string program = folder.file("program", "", 0755);
  CHECK(name_of(privileges_of(program)).empty());
  CHECK(name_of(privileges_of("/no/such")).empty());
  REQUIRE(chmod(program.c_str(), 04755) == 0);
  CHECK(privileges_of(program).set_id);
  CHECK_FALSE(privileges_of(program).concerns_caller);  // it is the caller's
  REQUIRE(chmod(program.c_str(), 02745) == 0);          // mandatory locking
  CHECK_FALSE(privileges_of(program).set_id);
  CHECK(name_of({true, true, false}) == "a set-user-ID or set-group-ID program with capabilities");
}
