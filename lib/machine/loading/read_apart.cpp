// SPDX-License-Identifier: BSD-3-Clause
#include "machine/loading/read_apart.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "machine/cache/record.hpp"
#include "machine/loading/unseen.hpp"
#include "machine/reader/border.hpp"
#include "machine/topology.hpp"

namespace nestbind::machine::loading {
namespace {

// What is told may come from a file.
std::string printable(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

[[noreturn]] void refuse(const std::string& why) { throw Unreadable(printable(why)); }

[[noreturn]] void refuse_not_started(const std::string& program, const std::string& source,
                                     int error) {
  refuse("'" + source + "' cannot be read: " + program +
         " cannot be started: " + std::generic_category().message(error));
}

// A file without a name, not one of the standard ones, should these be closed.
class AnswerFile {
 public:
  AnswerFile() {
    const int made = memfd_create("nestbind-machine", MFD_CLOEXEC);
    file_ = made >= 0 ? fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    error_ = errno;
    if (made >= 0) {
      close(made);
    }
  }
  ~AnswerFile() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  int descriptor() const { return file_; }
  int error() const { return error_; }

  // Empty where it cannot be read.
  std::string contents() const {
    struct stat status{};
    if (fstat(file_, &status) != 0 || status.st_size > reader::kLargestAnswer) {
      return "";
    }
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t length = 0;
    while (length < bytes.size()) {
      const ssize_t got =
          pread(file_, bytes.data() + length, bytes.size() - length, static_cast<off_t>(length));
      if (got <= 0) {
        return "";
      }
      length += static_cast<std::size_t>(got);
    }
    return bytes;
  }

 private:
  int file_ = -1;
  int error_ = 0;
};

// Where the loader looks for hwloc, without what depends on the folder that the program is in now.
std::string library_path() {
  const char* const set = secure_getenv("LD_LIBRARY_PATH");
  std::string_view rest = set == nullptr ? "" : set;
  std::string path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(":;"), rest.size());
    if (rest.starts_with('/')) {
      path += (path.empty() ? "" : ":") + std::string(rest.substr(0, end));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return path;
}

std::string answer_of(const std::string& program, const std::string& source) {
  std::string name = program;
  std::string described = source;
  std::string no_plugins = "HWLOC_PLUGINS_PATH=/nonexistent";
  std::string path = "LD_LIBRARY_PATH=" + library_path();
  char* const arguments[] = {name.data(), described.data(), nullptr};
  char* const environment[] = {no_plugins.data(), path.data(), nullptr};
  const AnswerFile answer;
  if (answer.descriptor() < 0) {
    refuse_not_started(program, source, answer.error());
  }
  const int error = run_unseen({program.c_str(), arguments, environment, answer.descriptor()});
  if (error != 0) {
    refuse_not_started(program, source, error);
  }
  return answer.contents();
}

int number_in(std::string_view bytes) {
  int number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return number;
}

}  // namespace

Hardware read_apart(const std::string& program, const std::string& source) {
  const std::string answer = answer_of(program, source);
  if (answer.empty()) {
    refuse("hwloc crashes on '" + source + "', or needs more than " +
           std::to_string(reader::kMegabytes) + " MB or " + std::to_string(reader::kSeconds) +
           " s for it");
  }
  const std::string_view rest = std::string_view(answer).substr(1);
  if (answer[0] == reader::kNotStarted) {
    refuse_not_started(program, source, number_in(rest));
  }
  if (answer[0] == reader::kMessage) {
    refuse(std::string(rest));
  }
  const char* why = "it is not told at all";
  auto hardware = answer[0] == reader::kRecord ? cache::decode(rest, &why) : std::nullopt;
  if (!hardware) {
    refuse("'" + source + "' is not a machine that can be: " + why);
  }
  return std::move(*hardware);
}

}  // namespace nestbind::machine::loading
