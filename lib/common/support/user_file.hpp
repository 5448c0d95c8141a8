// SPDX-License-Identifier: BSD-3-Clause
// Reads a whole file that a user has named. Needs libstdc++.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "support/files.hpp"

namespace nestbind::support {

enum class Streams { kRefused, kRead };

class UserFile {
 public:
  explicit UserFile(const char* name)
      : file_(::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}

  int read(std::size_t most, Streams streams, std::string& text) const {
    struct stat status{};
    if (!file_.is_open() || ::fstat(file_.number(), &status) != 0) {
      return errno;
    }
    if (S_ISREG(status.st_mode)) {
      return static_cast<std::size_t>(status.st_size) > most ? EFBIG : read_rest(most, text);
    }
    if (S_ISDIR(status.st_mode) || streams == Streams::kRefused) {
      return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    }
    const int error = read_rest(most, text);
    return error == 0 && text.empty() && S_ISFIFO(status.st_mode) ? ENODATA : error;
  }

 private:
  // If read() gives EAGAIN, the pipe is empty, but has a writer.
  int read_rest(std::size_t most, std::string& text) const {
    constexpr std::size_t kPart = 65536;
    while (true) {
      const std::size_t before = text.size();
      text.resize(before + kPart);
      const ssize_t got = ::read(file_.number(), text.data() + before, kPart);
      const int error = got < 0 ? errno : 0;
      text.resize(before + (got < 0 ? 0 : static_cast<std::size_t>(got)));
      if (text.size() > most) {
        return EFBIG;
      }
      if (error == EAGAIN) {
        pollfd waiting{file_.number(), POLLIN, 0};
        ::poll(&waiting, 1, -1);
      } else if (got <= 0 && error != EINTR) {
        return error;
      }
    }
  }

  const Descriptor file_;
};

// If streams are read, "-" is the standard input. Returns 0 or an errno: EISDIR for a folder, EFBIG
// for more than `most` bytes, EINVAL for a refused stream, ENODATA for an empty pipe without a
// writer. Waits only for a writer of a pipe, or for a user at a terminal.
inline int read_user_file(const char* name, std::size_t most, Streams streams, std::string& text) {
  text.clear();
  const bool is_input = streams == Streams::kRead && std::strcmp(name, "-") == 0;
  return UserFile(is_input ? "/dev/stdin" : name).read(most, streams, text);
}

inline const char* why_unread(int error) {
  return error == EINVAL ? "no regular file" : std::strerror(error);
}

}  // namespace nestbind::support
