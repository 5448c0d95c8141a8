// SPDX-License-Identifier: BSD-3-Clause
// Names and descriptors of output files mean what they meant at the program's start.
#include "process/output_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>
#include <cstdlib>
#include <filesystem>

#include "helpers/captured.hpp"
#include "helpers/folder.hpp"
#include "helpers/fresh_process.hpp"
#include "process/original_files.hpp"

using namespace nestbind::process;
using Begins = OutputFile::Begins;

namespace {

std::string written(OutputFile& file, const std::string& text) {
  const char* why = file.write(text.c_str(), text.size());
  return why == nullptr ? "" : why;
}

}  // namespace

TEST_CASE("texts are appended in order") {
  const Folder folder;
  const std::string name = folder.path() + "/file";
  std::ofstream(name) << "before ";
  OutputFile file;
  REQUIRE(file.set_name(name.c_str(), Begins::kBehind));
  CHECK(file.find() == nullptr);
  errno = ELOOP;
  CHECK(written(file, "one ").empty());
  CHECK(written(file, "two").empty());
  CHECK(errno == ELOOP);
  CHECK(content(name) == "before one two");
}

TEST_CASE("a file is emptied once") {
  const Folder folder;
  const std::string name = folder.path() + "/file";
  std::ofstream(name) << "before ";
  OutputFile file;
  for (const char* text : {"one ", "two"}) {
    REQUIRE(file.set_name(name.c_str(), Begins::kEmpty));
    CHECK(written(file, text).empty());
  }
  CHECK(content(name) == "one two");
}

TEST_CASE("a file that the program writes to is not emptied") {
  const Folder folder;
  const std::string name = folder.path() + "/file";
  std::ofstream(name) << "the program's ";
  const int before = dup(STDOUT_FILENO);
  const int own = open(name.c_str(), O_WRONLY);
  dup2(own, STDOUT_FILENO);
  OutputFile file;
  REQUIRE(file.set_name(name.c_str(), Begins::kEmpty));
  const std::string why = written(file, "ours");
  dup2(before, STDOUT_FILENO);
  close(before);
  close(own);
  CHECK(why.empty());
  CHECK(content(name) == "the program's ours");
}

TEST_CASE("nothing is written through a link or into another file") {
  const Folder folder;
  const std::string name = folder.path() + "/file";
  const std::string victim = folder.path() + "/victim";
  std::ofstream(victim) << "victim";
  std::filesystem::create_symlink(victim, name);
  OutputFile file;
  REQUIRE(file.set_name(name.c_str(), Begins::kEmpty));
  CHECK(written(file, "one") == "it is a link");
  std::filesystem::remove(name);
  CHECK(written(file, "two").empty());
  std::filesystem::rename(victim, name);
  CHECK(written(file, "three") == "another file has its name now");
  CHECK(content(name) == "victim");
  std::filesystem::remove(name);
  CHECK(written(file, "four") == "No such file or directory");
  CHECK_FALSE(std::filesystem::exists(name));
}

TEST_CASE("writing to a pipe without a reader does not wait") {
  const Folder folder;
  const std::string name = folder.path() + "/pipe";
  REQUIRE(mkfifo(name.c_str(), 0600) == 0);
  OutputFile file;
  REQUIRE(file.set_name(name.c_str(), Begins::kEmpty));
  CHECK_FALSE(written(file, "one").empty());
  const int reader = open(name.c_str(), O_RDONLY | O_NONBLOCK);
  CHECK(written(file, "two").empty());
  char text[8] = "";
  CHECK(read(reader, text, sizeof text) == 3);
  CHECK(std::string(text) == "two");
  close(reader);
}

TEST_CASE("/dev/stderr is the standard error output") {
  fresh::process({}, [] {
    const fresh::Captured said;
    OutputFile file;
    REQUIRE(file.set_name("/dev/stderr", Begins::kEmpty));
    CHECK(file.find() == nullptr);
    CHECK(written(file, "one").empty());
    CHECK(said.text() == "one");
  });
}

TEST_CASE("/dev/stdout is the standard output") {
  const Folder folder;
  const std::string name = folder.path() + "/output";
  fresh::process({{"UNIT_OUTPUT", name}}, [] {
    const char* const output = std::getenv("UNIT_OUTPUT");
    std::ofstream(output) << "before ";
    learn_original_files();
    const int kept = dup(STDOUT_FILENO);
    const int own = open(output, O_WRONLY);
    lseek(own, 0, SEEK_END);
    dup2(own, STDOUT_FILENO);
    OutputFile file;
    REQUIRE(file.set_name("/dev/stdout", Begins::kEmpty));
    CHECK(file.find() == nullptr);
    CHECK(write(STDOUT_FILENO, "one ", 4) == 4);
    CHECK(written(file, "two ").empty());
    CHECK(write(STDOUT_FILENO, "three", 5) == 5);
    dup2(kept, STDOUT_FILENO);
    CHECK(content(output) == "before one two three");
  });
}

TEST_CASE("a relative name refers to the initial folder") {
  fresh::process({}, [] {
    const std::string begin = std::filesystem::current_path();
    const Folder folder;
    std::filesystem::current_path(folder.path());
    char name[PATH_MAX];
    CHECK(make_absolute("file", name, sizeof name));
    CHECK(name == begin + "/file");
    CHECK(make_absolute("/file", name, sizeof name));
    CHECK(std::string(name) == "/file");
    errno = 0;
    CHECK_FALSE(make_absolute(std::string(PATH_MAX, 'x').c_str(), name, sizeof name));
    CHECK(errno == ENAMETOOLONG);
    CHECK(has_error_output());
  });
}
