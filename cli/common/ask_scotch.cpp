// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/ask_scotch.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "mapping/scotch/scotch_border.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::cli {

namespace {

class Memory {
 public:
  Memory() : file_(memfd_create("nestbind", MFD_CLOEXEC)) {}
  ~Memory() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  int descriptor() const { return file_; }

  bool write_all(const std::string& text) const {
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t part = ::write(file_, text.data() + written, text.size() - written);
      if (part <= 0) {
        return false;
      }
      written += static_cast<std::size_t>(part);
    }
    return lseek(file_, 0, SEEK_SET) == 0;
  }

  std::string contents() const {
    constexpr std::size_t kPart = 65536;
    std::string text;
    char part[kPart];
    lseek(file_, 0, SEEK_SET);
    for (ssize_t got = 0; (got = ::read(file_, part, sizeof part)) > 0;) {
      text.append(part, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int file_;
};

bool run(const std::string& program, const char* what, int input, int output) {
  std::string name = program;
  std::string argument = what;
  // With one thread the program gives the same answer each time.
  std::string one_thread = "SCOTCH_PTHREAD_NUMBER=1";
  const char* const set = std::getenv("LD_LIBRARY_PATH");
  std::string path = std::string("LD_LIBRARY_PATH=") + (set == nullptr ? "" : set);
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  char* const environment[] = {one_thread.data(), path.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool has_begun =
      posix_spawn(&child, program.c_str(), &files, nullptr, arguments, environment) == 0;
  posix_spawn_file_actions_destroy(&files);
  int status = -1;
  while (has_begun && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return has_begun && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

}  // namespace

std::string find_scotch(const std::string& library) {
  const std::string program = library.substr(0, library.rfind('/') + 1) + NESTBIND_PLANNER_SUBDIR +
                              "/" + mapping::scotch::kScotchFile;
  return access(program.c_str(), X_OK) == 0 ? program : "";
}

std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count,
                                           int most) {
  const Memory input;
  const Memory output;
  if (input.descriptor() < 0 || output.descriptor() < 0 || !input.write_all(problem) ||
      !run(program, what, input.descriptor(), output.descriptor())) {
    return std::nullopt;
  }
  auto numbers = mapping::whole_numbers(output.contents());
  const bool is_answer = numbers && numbers->size() == count &&
                         std::ranges::all_of(*numbers, [&](int number) { return number <= most; });
  return is_answer ? numbers : std::nullopt;
}

}  // namespace nestbind::cli
