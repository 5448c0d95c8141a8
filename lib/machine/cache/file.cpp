// SPDX-License-Identifier: BSD-3-Clause
// The files of the cache. Names are looked up from the folder that was examined, links are not
// followed, and a file is read, not mapped: another process may cut it meanwhile.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {
namespace {

constexpr off_t kLargest = off_t{16} << 20;

bool is_of_this_user_alone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

class File {
 public:
  explicit File(int file) : file_(file) {}
  ~File() {
    if (file_ >= 0) {
      ::close(file_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return file_ >= 0; }

  // All of it, if it is of a kind and size to be believed.
  std::optional<std::string> read() const {
    struct stat status{};
    if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || !is_of_this_user_alone(status) ||
        status.st_size > kLargest) {
      return std::nullopt;
    }
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t length = 0;
    while (length < bytes.size()) {
      const ssize_t got = ::read(file_, bytes.data() + length, bytes.size() - length);
      if (got <= 0) {
        return std::nullopt;
      }
      length += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file_, bytes.data(), bytes.size());
      if (put <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

 private:
  int file_;
};

// Beyond its limit the kernel would end the process.
bool may_write(std::size_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= size;
}

// A name that no other process has, also on another node.
std::string temporary_name(const Key& key) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char suffix[64];
  std::snprintf(suffix, sizeof suffix, ".%ld.%ld.%ld", static_cast<long>(getpid()),
                static_cast<long>(now.tv_sec), static_cast<long>(now.tv_nsec));
  return key.file + suffix;
}

}  // namespace

Folder Folder::open(const char* setting) {
  const char* name = setting != nullptr ? setting : secure_getenv("XDG_RUNTIME_DIR");
  if (name == nullptr || name[0] != '/') {  // "off", too
    return Folder(-1);
  }
  if (setting != nullptr) {
    mkdir(name, S_IRWXU);  // if it is missing
  }
  const int folder = ::open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status{};
  if (folder >= 0 && (fstat(folder, &status) != 0 || !is_of_this_user_alone(status))) {
    ::close(folder);
    return Folder(-1);
  }
  return Folder(folder);
}

Folder::~Folder() {
  if (folder_ >= 0) {
    ::close(folder_);
  }
}

std::optional<Hardware> Folder::read(const Key& key) const {
  // A pipe would have the process wait for somebody to write.
  const File file(
      openat(folder_, key.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const auto bytes = file.is_open() ? file.read() : std::nullopt;
  return bytes ? unseal(*bytes, key) : std::nullopt;
}

void Folder::write(const Hardware& hardware, const Key& key) const {
  const std::string bytes = seal(hardware, key);
  if (!may_write(bytes.size())) {
    return;
  }
  const std::string name = temporary_name(key);
  const File file(openat(folder_, name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.is_open() &&
      (!file.write(bytes) || renameat(folder_, name.c_str(), folder_, key.file.c_str()) != 0)) {
    unlinkat(folder_, name.c_str(), 0);
  }
}

}  // namespace nestbind::machine::cache
