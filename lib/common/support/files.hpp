// SPDX-License-Identifier: BSD-3-Clause
// Small files in folders to which all users may write. Nothing here is a cancellation point.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "support/system_call.hpp"

namespace nestbind::support {

class Descriptor {
 public:
  explicit Descriptor(long number = -1) : number_(static_cast<int>(number)) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  void take(long number) {
    close();
    number_ = static_cast<int>(number);
  }
  void close() {
    if (number_ >= 0) {
      system_call(SYS_close, number_);
    }
    number_ = -1;
  }

 private:
  int number_;
};

// Opens a file, but follows no symbolic link. Only the owner can read or write a new file.
inline long open_at(int folder, const char* name, int flags) {
  constexpr int kOwner = S_IRUSR | S_IWUSR;
  return system_call(SYS_openat, folder, name, flags | O_CLOEXEC | O_NOFOLLOW, kOwner);
}

inline long open_folder(const char* name) {
  return system_call(SYS_openat, AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// If a file exceeds the limit, the kernel ends the process.
inline bool may_write(std::size_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= size;
}

inline void remove_at(int folder, const char* name) {
  constexpr int kFile = 0;
  system_call(SYS_unlinkat, folder, name, kFile);
}

// Reads the folder at most `most_reads` times, because it may have very many names.
template <typename Visit>
void each_name_in(int folder, int most_reads, Visit visit) {
  struct Entry {  // the kernel's layout of a folder's entries
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) char buffer[4096] = {};
  long length = 1;
  for (int i = 0; i < most_reads && length > 0; ++i) {
    length = system_call(SYS_getdents64, folder, buffer, sizeof buffer);
    for (long at = 0; at < length;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      visit(static_cast<const char*>(entry->name));
    }
  }
}

// Whether a process with this number exists in the caller's namespace.
inline bool is_alive(std::uint64_t process) {
  return system_call(SYS_kill, static_cast<long>(process), 0) == 0 || errno != ESRCH;
}

}  // namespace nestbind::support
