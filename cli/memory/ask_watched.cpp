// SPDX-License-Identifier: BSD-3-Clause
// A process that is watched is asked what it knows by now: the file by which that is done
// (memory/watch_request.hpp), and waiting for its answer.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/memory/memory_parts.hpp"
#include "memory/watch_request.hpp"

namespace nestbind::cli::memory {

namespace {

constexpr char kThread[] = "nestbind-memory";  // the one that watches

std::string folder_of(int process) { return "/proc/" + std::to_string(process); }

// As it knows itself: the last of "NStgid: 4711 17". A thread's number stands for its process's.
int own_number_of(int process) {
  std::ifstream file(folder_of(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    if (words >> key && key == "NStgid:") {
      for (int number = 0; words >> number;) {
        process = number;
      }
    }
  }
  return process;
}

// Whether it has another folder of requests than we have: what is put into ours it never sees.
bool is_elsewhere(int process) {
  struct stat own{};
  struct stat its{};
  const std::string name = folder_of(process) + "/root" + nestbind::memory::kRequests;
  return stat(nestbind::memory::kRequests, &own) == 0 && stat(name.c_str(), &its) == 0 &&
         (own.st_dev != its.st_dev || own.st_ino != its.st_ino);
}

// There until this is gone. It is locked: who else asks waits for that, and takes away only what
// somebody has left who was killed.
class RequestFile {
 public:
  // user: whom the process runs as. process: its number, as it knows it itself.
  RequestFile(unsigned user, int process);
  ~RequestFile();
  RequestFile(const RequestFile&) = delete;
  RequestFile& operator=(const RequestFile&) = delete;

  // Whether it is there now; if not, errno says why: EAGAIN where somebody else asks.
  bool make();

  bool is_made() const { return file_ >= 0; }
  const char* name() const { return name_; }

  // The whole answer, which ends with a line's end; empty: not yet.
  std::string answer() const;

  // Whether who was asked has taken the request, and has it open no more: what answer() tells from
  // now on is all that comes. False also where that cannot be known.
  bool is_let_go() const;

  // Of a request that was let go without an answer: how much of one is there; and whether there is
  // no room for more.
  std::size_t written() const { return contents().size(); }
  bool is_full() const;

 private:
  std::string contents() const;
  bool is_request() const;
  bool is_there() const;
  bool remove_left();
  bool give_to_user() const;
  void close_file(bool with_name);

  const unsigned user_;
  char name_[nestbind::memory::kMostRequest];
  int file_ = -1;
};

// Pauses that a signal ends which would end us: that waits until this is gone. One that we ignore
// ends nothing.
class Pauses {
 public:
  Pauses();
  ~Pauses();
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;

  // Some hundredths of a second. False: a signal has come.
  bool pause();

 private:
  sigset_t ending_;
  sigset_t before_;
  int signal_ = 0;
};

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

// Why it has let go of a request without an answer.
std::string reason_for_silence(int process, const RequestFile& request) {
  rlimit largest{};
  const bool is_known = prlimit(process, RLIMIT_FSIZE, nullptr, &largest) == 0;
  if (is_known && largest.rlim_cur <= request.written()) {
    return fmt::format("it cannot answer: it may write no more than {} bytes to a file (ulimit -f)",
                       largest.rlim_cur);
  }
  return request.is_full()
             ? fmt::format("it cannot answer: {} is full", nestbind::memory::kRequests)
             : "it has taken the request, and does not answer";
}

}  // namespace

bool is_watched(int process) {
  std::error_code ignored;
  for (const auto& task :
       std::filesystem::directory_iterator(folder_of(process) + "/task", ignored)) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name == kThread) {
      return true;
    }
  }
  return false;
}

std::string ask(int process, std::string& fault) {
  constexpr auto kPatience = std::chrono::seconds(10);
  struct stat status{};
  if (stat(folder_of(process).c_str(), &status) != 0) {
    fault = "there is no such process";
    return "";
  }
  if (is_elsewhere(process)) {
    fault = fmt::format("it cannot be asked: it has another {}, as in a container",
                        nestbind::memory::kRequests);
    return "";
  }
  Pauses pauses;  // ends behind the request
  RequestFile request(status.st_uid, own_number_of(process));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    if (!request.is_made() && !request.make() && errno != EAGAIN) {
      fault = fmt::format("it cannot be asked: {}: {}", request.name(), std::strerror(errno));
      return "";
    }
    std::string text = request.is_made() ? request.answer() : "";
    if (!text.empty()) {
      return text;
    }
    if (access(folder_of(process).c_str(), F_OK) != 0) {
      fault = "it has ended";
      return "";
    }
    if (request.is_made() && request.is_let_go()) {
      text = request.answer();  // which may have come meanwhile
      fault = text.empty() ? reason_for_silence(process, request) : "";
      return text;
    }
  } while (pauses.pause() && std::chrono::steady_clock::now() < end);
  fault =
      request.is_made()
          ? "it does not answer: it may be stopped, be in another container, or be told to watch"
            " for a time that is over"
          : "somebody else asks it, and has no answer";
  return "";
}

}  // namespace nestbind::cli::memory
