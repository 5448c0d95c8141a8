// SPDX-License-Identifier: BSD-3-Clause
#include "process/output_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/original_files.hpp"
#include "process/rank.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "support/file_name.hpp"
#include "support/system_call.hpp"

namespace nestbind::process {

namespace {

constexpr int kIsAnother = -1;  // our own value of errno
constexpr char kNotAll[] = "it is full, or refused a part of the output";

const char* words_of(int error) {
  return error == kIsAnother ? "another file has its name now"
         : error == ELOOP    ? "it is a link"
                             : strerror(error);
}

}  // namespace

void expand_file_name(const char* name, support::TextBuffer& out) {
  support::expand_file_name(name, told_rank(), options::settings().local_rank, out);
}

Terminal terminal_at(int descriptor) {
  const support::ErrnoKept errno_kept;
  winsize size{};
  return support::system_call(SYS_ioctl, descriptor, TIOCGWINSZ, &size) == 0
             ? Terminal{true, size.ws_col, size.ws_row}
             : Terminal{};
}

bool OutputFile::set_name(const char* name, Begins begins) {
  char absolute[PATH_MAX];
  if (!make_absolute(name, absolute, sizeof absolute)) {
    return false;
  }
  if (strcmp(absolute, name_) != 0) {
    memcpy(name_, absolute, strlen(absolute) + 1);
    is_known_ = false;
  }
  begins_ = begins;
  return true;
}

int OutputFile::standard() const {
  return strcmp(name_, "/dev/stdout") == 0   ? STDOUT_FILENO
         : strcmp(name_, "/dev/stderr") == 0 ? STDERR_FILENO
                                             : -1;
}

int OutputFile::open() {
  // With O_NONBLOCK, open() does not wait for a reader of a pipe.
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
  const int file = ::open(name_, is_known_ ? kFlags : kFlags | O_CREAT, 0666);
  if (file < 0) {
    return file;
  }
  if (!is_it(file)) {
    const int error = errno;
    close(file);
    errno = error;
    return -1;
  }
  fcntl(file, F_SETFL, O_APPEND);  // writes must wait for a slow reader of a pipe
  return file;
}

bool OutputFile::is_it(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) {
    return false;
  }
  if (is_known_ && status.st_dev == device_ && status.st_ino == inode_) {
    return true;
  }
  if (is_known_) {
    errno = kIsAnother;
    return false;
  }
  if (begins_ == Begins::kEmpty && S_ISREG(status.st_mode) && !is_output_of_program(status) &&
      ftruncate(file, 0) != 0) {
    return false;
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  is_known_ = true;
  return true;
}

const char* OutputFile::find() {
  const support::ErrnoKept errno_kept;
  const Uncancelled uncancelled;
  if (standard() >= 0) {
    return nullptr;
  }
  const int file = open();
  if (file < 0) {
    return words_of(errno);
  }
  close(file);
  return nullptr;
}

Terminal OutputFile::terminal() {
  const support::ErrnoKept errno_kept;
  const Uncancelled uncancelled;
  if (standard() >= 0) {
    return terminal_at(standard());
  }
  const int file = open();
  if (file < 0) {
    return {};
  }
  const Terminal found = terminal_at(file);
  close(file);
  return found;
}

const char* OutputFile::write(const char* text, std::size_t length) {
  const support::ErrnoKept errno_kept;
  const Uncancelled uncancelled;
  if (standard() == STDERR_FILENO) {
    write_error_output(text, length);
    return nullptr;
  }
  if (standard() == STDOUT_FILENO) {
    // Writes to the existing descriptor: a file that is opened again has its own file offset.
    const bool is_there = has_output();
    return !is_there                                ? "the process was started without it"
           : write_all(STDOUT_FILENO, text, length) ? nullptr
                                                    : kNotAll;
  }
  const int file = open();
  if (file < 0) {
    return words_of(errno);
  }
  const bool is_written = write_all(file, text, length);
  close(file);
  return is_written ? nullptr : kNotAll;
}

}  // namespace nestbind::process
