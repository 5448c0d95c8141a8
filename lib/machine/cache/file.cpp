// SPDX-License-Identifier: BSD-3-Clause
// The files of the cache. Names are looked up from the folder that was examined, links are not
// followed, and a file is read, not mapped: another process may cut it meanwhile.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "machine/cache/cache.hpp"
#include "machine/cache/temporary.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::machine::cache {
namespace {

constexpr off_t kLargest = off_t{16} << 20;

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

// The name without "/" and "/." at its end, behind which the kernel follows a link; empty where it
// ends with "..", which leads on from where a link leads to.
std::string of_folder_itself(std::string name) {
  while (name.size() > 1 && (name.ends_with('/') || name.ends_with("/."))) {
    name.pop_back();
  }
  return name.ends_with("/..") ? "" : name;
}

}  // namespace

Folder Folder::open(const char* setting) {
  const char* given = setting != nullptr ? setting : secure_getenv("XDG_RUNTIME_DIR");
  const std::string name = of_folder_itself(given == nullptr ? "" : given);
  if (!name.starts_with('/')) {  // "off", too
    return Folder(-1);
  }
  if (setting != nullptr) {
    mkdir(name.c_str(), S_IRWXU);  // if it is missing
  }
  const int folder = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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

std::optional<std::string> Folder::read_bytes(const Key& key) const {
  // A pipe would have the process wait for somebody to write.
  const File file(
      openat(folder_, key.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file.is_open() ? file.read() : std::nullopt;
}

std::optional<Hardware> Folder::read(const Key& key) const {
  const auto bytes = read_bytes(key);
  return bytes ? unseal(*bytes, key) : std::nullopt;
}

bool Folder::write_bytes(std::string_view bytes, const Key& key) const {
  if (!may_write(bytes.size())) {
    errno = EFBIG;
    return false;
  }
  remove_leftovers(folder_);
  const Temporary made = make_temporary(folder_, key.file);
  const File file(made.file);
  const bool is_written = file.is_open() && file.write(bytes) &&
                          renameat(folder_, made.name.c_str(), folder_, key.file.c_str()) == 0;
  if (file.is_open() && !is_written) {
    const support::ErrnoKept errno_kept;
    unlinkat(folder_, made.name.c_str(), 0);
  }
  return is_written;
}

void Folder::write(const Hardware& hardware, const Key& key) const {
  write_bytes(seal(hardware, key), key);
}

}  // namespace nestbind::machine::cache
