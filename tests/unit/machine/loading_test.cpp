// SPDX-License-Identifier: BSD-3-Clause
// What a user hands over is read by a program of its own, which the process does not notice.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "helpers.hpp"
#include "machine/cache/record.hpp"
#include "machine/hwloc/border.hpp"
#include "machine/loading/load.hpp"
#include "machine/reader/border.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;
namespace fs = std::filesystem;

namespace {

// The library that has the program of this build beside it.
std::string library() {
  return (fs::path(NESTBIND_READER).parent_path() / hwloc::kTopologyFile).string();
}

std::string complaint(const std::string& source, const std::string& of = library()) {
  try {
    loading::load_and_read(of, source);
  } catch (const Unreadable& unreadable) {
    return unreadable.what();
  }
  return "none";
}

// A folder with a program in the place of ours.
class Place {
 public:
  explicit Place(const std::string& script, unsigned mode = 0755) {
    if (!script.empty()) {
      folder_.file(reader::kReaderFile, "#!/bin/sh\n" + script + "\n", mode);
    }
  }

  std::string library() const { return (folder() / hwloc::kTopologyFile).string(); }
  std::string program() const { return (folder() / reader::kReaderFile).string(); }
  fs::path folder() const { return folder_.path(); }

 private:
  Folder folder_;
};

std::string contents(const fs::path& name) {
  std::ifstream in(name);
  return {std::istreambuf_iterator<char>(in), {}};
}

int open_files() {
  return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

std::atomic<int> g_signals{0};

}  // namespace

TEST_CASE("another process reads what this one would") {
  for (const std::string& source :
       {file("barcelona.xml"), file("hybrid.xml"), file("numa32.xml"),
        std::string("pack:2 [numa] core:2 pu:2"), std::string("core:64 pu:16")}) {
    INFO(source);
    CHECK(loading::load_and_read(library(), source) == read_hardware(source));
  }
}

TEST_CASE("what cannot be read is told as in this process") {
  CHECK(complaint("nosuch.xml") ==
        "there is no file 'nosuch.xml', nor is it a synthetic description such as "
        "\"pack:2 numa:2 core:4 pu:1\"");
  CHECK(complaint("pu:4097") ==
        "'pu:4097' has more than 4096 processors; a synthetic description may have that many");
  CHECK(complaint("a\nb\x1b").find("there is no file 'a?b?', nor") == 0);
}

TEST_CASE("a file that hwloc crashes on, or needs too much for, is a message") {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(file("hostile"))) {
    if (entry.path().extension() == ".xml") {
      ++files;
      INFO(entry.path());
      CHECK(complaint(entry.path()).find("'" + entry.path().string() + "'") != std::string::npos);
    }
  }
  CHECK(files >= 2);
}

TEST_CASE("nobody notices the process that reads") {
  struct sigaction counted{};
  struct sigaction before{};
  counted.sa_handler = [](int) { ++g_signals; };
  sigaction(SIGCHLD, &counted, &before);
  std::atomic<bool> is_done{false};
  int seen = 0;
  std::thread waiting([&] {
    while (!is_done) {
      seen += waitpid(-1, nullptr, 0) != -1 || errno != ECHILD;
    }
  });
  sigset_t mask_before;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  rusage times_before{};
  getrusage(RUSAGE_CHILDREN, &times_before);
  const int files_before = open_files();
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    complaint(round % 2 == 0 ? "pack:2 core:4 pu:1" : file("hostile/crash.xml"));
  }
  is_done = true;
  waiting.join();
  CHECK(seen == 0);
  CHECK(g_signals == 0);
  CHECK(waitpid(-1, nullptr, __WALL) == -1);
  CHECK(open_files() == files_before);
  rusage times{};
  getrusage(RUSAGE_CHILDREN, &times);
  // Those of the program, hundreds each time, are not counted.
  CHECK(times.ru_minflt - times_before.ru_minflt < 50 * kRounds);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  CHECK(std::memcmp(&mask, &mask_before, sizeof(unsigned long)) == 0);
  sigaction(SIGCHLD, &before, nullptr);
}

TEST_CASE("the program begins with nothing of this process but its folder") {
  const Place place("env > \"$0\".env; ls -l /proc/$$/fd > \"$0\".fd");
  setenv("LD_PRELOAD", "", 1);
  setenv("OMP_NUM_THREADS", "3", 1);
  setenv("HWLOC_XMLFILE", "other.xml", 1);
  setenv("LD_LIBRARY_PATH", "/one:two::/three", 1);
  CHECK(complaint("pu:2", place.library()).find("hwloc crashes on 'pu:2'") == 0);
  for (const char* name : {"LD_PRELOAD", "OMP_NUM_THREADS", "HWLOC_XMLFILE", "LD_LIBRARY_PATH"}) {
    unsetenv(name);
  }
  const std::string environment = contents(place.program() + ".env");
  CHECK(environment.find("LD_LIBRARY_PATH=/one:/three\n") != std::string::npos);
  for (const char* name : {"LD_PRELOAD", "OMP_", "XMLFILE", "HOME="}) {
    CHECK(environment.find(name) == std::string::npos);
  }
  const std::string files = contents(place.program() + ".fd");
  for (const char* line : {"0 -> /dev/null", "2 -> /dev/null", "3 -> /memfd:nestbind-machine"}) {
    CHECK(files.find(line) != std::string::npos);
  }
}

TEST_CASE("where the program cannot be started nothing is read") {
  const Place missing("");
  CHECK(complaint("pu:2", missing.library()) ==
        "'pu:2' cannot be read: " + missing.program() +
            " cannot be started: No such file or directory");
  const Place forbidden("exit 0", 0644);
  CHECK(complaint("pu:2", forbidden.library()) ==
        "'pu:2' cannot be read: " + forbidden.program() + " cannot be started: Permission denied");
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit none{0, files.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const std::string told = complaint("pu:2");
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(told == "'pu:2' cannot be read: " NESTBIND_READER
                " cannot be started: Too many open files");
}

TEST_CASE("an answer is believed only as a cache is") {
  const auto answer = [](const std::string& bytes) {
    const Place place("cat \"$0\".answer >&3");
    std::ofstream(place.program() + ".answer", std::ios::binary) << bytes;
    return complaint("pu:2", place.library());
  };
  const std::string good = cache::encode(read_hardware("pu:2"));
  CHECK(answer("r" + good) == "none");
  CHECK(answer("r" + good + "x") ==
        "'pu:2' is not a machine that can be: it is not told to its end");
  CHECK(answer("r") == "'pu:2' is not a machine that can be: it is not told to its end");
  CHECK(answer("x" + good) == "'pu:2' is not a machine that can be: it is not told at all");
  Hardware no_core = read_hardware("pu:2");
  no_core.objects[1].type = Type::kL1;
  no_core.objects[2].type = Type::kL1;
  CHECK(answer("r" + cache::encode(no_core)) ==
        "'pu:2' is not a machine that can be: a processor is in no core");
  CHECK(answer("mbecause\n\x1b[31m") == "because??[31m");
  CHECK(answer("e").find("cannot be started") != std::string::npos);
}
