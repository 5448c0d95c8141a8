// SPDX-License-Identifier: BSD-3-Clause
#include "planner/order_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "mapping/order_text.hpp"

namespace nestbind::planner {

namespace {

class File {
 public:
  // Never waits: what is no file is refused behind this.
  explicit File(const char* name) : file_(::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
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

// The specification's path to this master; none where it has no such thread.
std::optional<plan::Path> path_of(const std::vector<int>& master, plan::Plan& plan) {
  plan::Path path;
  for (const int number : master) {
    const int size = plan.next_size(path);
    if (number >= size) {
      return std::nullopt;
    }
    path.push_back({number, size});
  }
  return path;
}

std::string name_of(const std::vector<int>& master) {
  std::string name;
  for (const int number : master) {
    name += (name.empty() ? " of thread " : ".") + std::to_string(number);
  }
  return name.empty() ? "outermost team" : "team" + name;
}

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
  for (const auto& [master, seats] : order.teams()) {
    const auto path = path_of(master, plan);
    const int size = path ? plan.next_size(*path) : 0;
    if (size != static_cast<int>(seats.size())) {
      return shown(file) + " is for other teams: the " + name_of(master) + " has " +
             std::to_string(seats.size()) + " members there, and " +
             (size == 0 ? "there is none" : std::to_string(size)) +
             " by the specification; such teams are in the plain order";
    }
  }
  return "";
}

}  // namespace nestbind::planner
