// SPDX-License-Identifier: BSD-3-Clause
#include "planner/order_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "mapping/order_text.hpp"
#include "mapping/order_use.hpp"

namespace nestbind::planner {

namespace {

class File {
 public:
  // Never waits: what is no file is refused behind this.
  explicit File(const char* name)
      : file_(::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~File() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Returns an errno, or 0.
  int read_all(std::string& text) const {
    struct stat status{};
    if (file_ < 0 || fstat(file_, &status) != 0) {
      return errno;
    }
    if (!S_ISREG(status.st_mode)) {
      return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    }
    if (status.st_size > mapping::kLargestOrder) {
      return EFBIG;
    }
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t length = 0;
    while (length < text.size()) {
      const ssize_t got = ::read(file_, text.data() + length, text.size() - length);
      if (got < 0 && errno != EINTR) {
        return errno;
      }
      if (got == 0) {
        break;
      }
      length += got < 0 ? 0 : static_cast<std::size_t>(got);
    }
    text.resize(length);
    return 0;
  }

 private:
  int file_;
};

// For messages: the end of a long one.
std::string shown(const char* file) {
  constexpr std::size_t kMost = 300;
  std::string name = file;
  if (name.size() > kMost) {
    name.replace(0, name.size() - kMost, "...");
  }
  std::ranges::replace_if(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return name;
}

}  // namespace

std::string read_order(const char* file, plan::Order& order) {
  std::string text;
  const int error = File(file).read_all(text);
  if (error != 0) {
    return shown(file) + ": " + std::generic_category().message(error);
  }
  mapping::Fault fault;
  if (mapping::parse_order(text, order, fault)) {
    return "";
  }
  return shown(file) + ", " + mapping::describe(text, fault);
}

std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan) {
  const std::string what = mapping::unused_in(order, plan);
  return what.empty() ? "" : shown(file) + " " + what;
}

}  // namespace nestbind::planner
