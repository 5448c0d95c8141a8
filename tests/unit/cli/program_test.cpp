// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli::inspect;

TEST_CASE("The interpreter of a script is found", "[program]") {
  const Folder folder;
  const auto script = [&](const std::string& text) {
    return read_script(folder.file("script", text));
  };
  CHECK(script("#!/bin/sh\necho").interpreter == "/bin/sh");
  CHECK(script("#! \t/bin/sh  -e -x \n").interpreter == "/bin/sh");
  CHECK(script("#!/bin/sh").program == "/bin/sh");
  CHECK(script("#!/usr/bin/env -S A=1 python3 -x\n").program == "python3");
  CHECK(script("#!/usr/bin/env -S\n").program.empty());
  CHECK(script("#!/bin/sh\n").is_named);
  CHECK(script("\177ELF").interpreter.empty());
  CHECK(read_script("/no/such").interpreter.empty());
  CHECK(read_script("/dev/null").interpreter.empty());
}

TEST_CASE("The shell reads scripts that the kernel does not know", "[program]") {
  const Folder folder;
  for (const char* text : {"#!\n/bin/sh", "#", "", "echo\n", "#! \t\n"}) {
    INFO(text);
    const Script script = read_script(folder.file("script", text));
    CHECK(script.interpreter == "/bin/sh");
    CHECK_FALSE(script.is_named);
  }
}

TEST_CASE("A carriage return belongs to the interpreter's name", "[program]") {
  const Folder folder;
  CHECK(read_script(folder.file("script", "#!/bin/sh\r\n")).interpreter == "/bin/sh\r");
  CHECK(read_script(folder.file("env", "#!/usr/bin/env sh\r\n")).program == "sh\r");
  CHECK(starter_of(folder.path() + "/script") ==
        "/bin/sh\r (its line ends with a carriage return)");
  CHECK(starter_of(folder.file("good", "#!/no/such\n")) == "/no/such");
  CHECK_FALSE(starter_of("/proc/self/exe").empty());
  CHECK(starter_of("/no/such").empty());
}

TEST_CASE("The reason is given for files that the kernel would not execute", "[program]") {
  const Folder folder;
  CHECK(refusal_of(folder.path()) == "a directory, not a program");
  CHECK(refusal_of("/dev/null") == "a device, pipe or socket, not a program");
  CHECK(refusal_of(folder.file("plain", "")) == "Permission denied: the file is not executable");
  CHECK(refusal_of(folder.file("program", "", 0755)).empty());
  CHECK(refusal_of("/no/such").empty());
}

TEST_CASE("The file that execvp would start is found", "[program]") {
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

TEST_CASE("The privileges that the loader grants are found", "[program]") {
  const Folder folder;
  const std::string program = folder.file("program", "", 0755);
  CHECK(name_of(privileges_of(program)).empty());
  CHECK(name_of(privileges_of("/no/such")).empty());
  REQUIRE(chmod(program.c_str(), 04755) == 0);
  CHECK(privileges_of(program).set_id);
  CHECK_FALSE(privileges_of(program).concerns_caller);  // the caller owns the program
  REQUIRE(chmod(program.c_str(), 02745) == 0);          // mandatory locking
  CHECK_FALSE(privileges_of(program).set_id);
  CHECK(name_of({true, true, false}) == "a set-user-ID or set-group-ID program with capabilities");
}
