// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/request_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace nestbind::cli::memory {

RequestFile::RequestFile(unsigned user, int process) : user_(user) {
  nestbind::memory::print_request(user, process, name_);
}

RequestFile::~RequestFile() {
  if (is_made()) {
    close_file(is_there());
  }
}

bool RequestFile::make() {
  if (!remove_left()) {
    return false;
  }
  file_ = open(name_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (!is_made()) {
    errno = errno == EEXIST && is_request() ? EAGAIN : errno;
    return false;
  }
  if (!give_to_user()) {
    const int error = errno;
    close_file(true);
    errno = error;
    return false;
  }
  // Meanwhile it may have been taken for one that was left.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 || !is_there()) {
    close_file(false);
    errno = EAGAIN;
    return false;
  }
  return true;
}

std::string RequestFile::answer() const {
  const std::string text = contents();
  return text.ends_with('\n') ? text : "";
}

// A lease for writing is had while nobody else has the file open.
bool RequestFile::is_let_go() const {
  const bool is_alone = !is_there() && fcntl(file_, F_SETLEASE, F_WRLCK) == 0;
  if (is_alone) {
    fcntl(file_, F_SETLEASE, F_UNLCK);
  }
  return is_alone;
}

bool RequestFile::is_full() const {
  struct statvfs status{};
  return fstatvfs(file_, &status) == 0 && status.f_bavail == 0;
}

std::string RequestFile::contents() const {
  std::string text;
  char part[4096];
  for (long got = 0;
       (got = pread(file_, part, sizeof part, static_cast<off_t>(text.size()))) > 0;) {
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

// Whether what has come into our way is another one's who asks, or has gone again.
bool RequestFile::is_request() const {
  struct stat status{};
  return lstat(name_, &status) != 0 ||
         (S_ISREG(status.st_mode) && (status.st_uid == user_ || status.st_uid == geteuid()));
}

// Who is asked removes it.
bool RequestFile::is_there() const {
  struct stat status{};
  return fstat(file_, &status) == 0 && status.st_nlink > 0;
}

// Removes what nobody holds, or is no request at all. False: somebody asks.
bool RequestFile::remove_left() {
  const int left = open(name_, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool is_asking = left >= 0 && flock(left, LOCK_EX | LOCK_NB) != 0;
  if (!is_asking) {
    unlink(name_);
  }
  if (left >= 0) {
    close(left);
  }
  errno = EAGAIN;
  return !is_asking;
}

bool RequestFile::give_to_user() const {
  return geteuid() == user_ || fchown(file_, user_, static_cast<gid_t>(-1)) == 0;
}

void RequestFile::close_file(bool with_name) {
  if (with_name) {
    unlink(name_);
  }
  close(file_);
  file_ = -1;
}

Pauses::Pauses() {
  sigemptyset(&ending_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action{};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
      sigaddset(&ending_, signal);
    }
  }
  sigprocmask(SIG_BLOCK, &ending_, &before_);
}

Pauses::~Pauses() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  if (signal_ > 0) {
    raise(signal_);
  }
}

bool Pauses::pause() {
  constexpr timespec kPause{0, 50'000'000};
  signal_ = sigtimedwait(&ending_, nullptr, &kPause);
  return signal_ <= 0;
}

}  // namespace nestbind::cli::memory
