// SPDX-License-Identifier: BSD-3-Clause
#include "helpers/fresh_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "interpose/next_function.hpp"

namespace fresh {

namespace {

constexpr char kMarker[] = "NESTBIND_UNIT_CASE";

// Returns 1 for the first call of process() in a test case, 2 for the second call.
int number_of_call(const std::string& name) {
  static std::string last;
  static int number = 0;
  number = name == last ? number + 1 : 1;
  last = name;
  return number;
}

std::vector<std::string> environment(const Variables& variables, int number) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool is_read = false;
    for (const char* prefix : {"OMP_", "NESTBIND_", "KMP_", "GOMP_", "PMI", "SLURM_", "MV2_"}) {
      is_read = is_read || text.rfind(prefix, 0) == 0;
    }
    if (!is_read) {
      all.push_back(text);
    }
  }
  bool has_threads = false;
  for (const auto& [name, value] : variables) {
    has_threads = has_threads || name == "OMP_NUM_THREADS";
    all.push_back(name + "=" + value);
  }
  if (!has_threads) {
    all.emplace_back("OMP_NUM_THREADS=7");  // the fake runtimes' default
  }
  all.push_back(kMarker + ("=" + std::to_string(number)));
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

struct Ended {
  int status = -1;
  std::string output;
};

Ended run(std::vector<std::string> arguments, std::vector<std::string> variables) {
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(variables);
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execve("/proc/self/exe", argv.data(), envp.data());
    _exit(127);
  }
  close(ends[1]);
  Ended ended;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = read(ends[0], part.data(), part.size())) > 0;) {
    ended.output.append(part.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

}  // namespace

void process(const Variables& variables, const std::function<void()>& body,
             const Expected& expected) {
  const std::string name = Catch::getResultCapture().getCurrentTestName();
  const int number = number_of_call(name);
  if (const char* marker = std::getenv(kMarker)) {
    if (std::atoi(marker) == number) {
      body();
    }
    return;
  }
  std::array<char, 4096> self{};
  REQUIRE(readlink("/proc/self/exe", self.data(), self.size() - 1) > 0);
  const Ended ended =
      run({self.data(), name, "-w", "NoAssertions"}, environment(variables, number));
  INFO("process " << number << " of this test case:\n" << ended.output);
  CHECK(ended.output.find("No test cases matched") == std::string::npos);
  CHECK(ended.output.find(expected.says) != std::string::npos);
  CHECK(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == expected.status);
}

std::string machine(const std::string& name) {
  return NESTBIND_SOURCE_DIR "/tests/machines/" + name + ".xml";
}

}  // namespace fresh

// lib/preload/interpose needs an interposed function in each program.
NESTBIND_INTERPOSE pid_t getsid(pid_t process) noexcept { return NESTBIND_NEXT(getsid)(process); }
