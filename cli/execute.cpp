// SPDX-License-Identifier: BSD-3-Clause
#include "cli/execute.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "cli/message.hpp"

namespace nestbind::cli {

namespace {

// Why the file that was found could not be executed: of ENOENT, that is what should start it.
std::string words_of(int error, const std::string& file) {
  const std::string starter = error == ENOENT ? inspect::starter_of(file) : "";
  return starter.empty() ? std::strerror(error) : "what should start it is not there: " + starter;
}

}  // namespace

int execute(const std::vector<std::string>& program) {
  const auto file = inspect::find_program(program[0]);
  const std::string refused = file ? inspect::refusal_of(*file) : "";
  if (!refused.empty()) {
    say("{}: {}", program[0], refused);
    return kCannotExecute;
  }
  const std::vector<char*> arguments = inspect::as_arguments(program);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const bool is_path = program[0].find('/') != std::string::npos;
  say("{}: {}", program[0],
      error == ENOENT && !is_path && !file
          ? "command not found" + inspect::hint_of_missing(program[0])
      : file ? words_of(error, *file)
             : std::strerror(error));
  return error == ENOENT ? kNotFound : kCannotExecute;
}

void warn_if_not_executable(const std::string& program) {
  const auto file = inspect::find_program(program);
  const std::string why =
      file ? inspect::refusal_of(*file) : "no such program" + inspect::hint_of_missing(program);
  if (!why.empty()) {
    warn("{}: {}", program, why);
  }
}

}  // namespace nestbind::cli
