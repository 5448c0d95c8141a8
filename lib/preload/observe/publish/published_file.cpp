// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "observe/publish/format.hpp"
#include "observe/publish/publish.hpp"
#include "ranks/meeting/meeting.hpp"
#include "support/errno_kept.hpp"
#include "support/files.hpp"
#include "support/stat_line.hpp"
#include "support/system_call.hpp"

namespace nestbind::publish {

namespace {

using support::Descriptor;
using support::open_at;
using support::remove_at;
using support::system_call;

struct Made {
  pid_t process = 0;
  char path[PATH_MAX] = "";
};
constinit Made g_made;

bool identify(Name& name, Word& image) {
  char line[1024] = "";
  const Descriptor file(open_at(AT_FDCWD, "/proc/self/stat", O_RDONLY));
  const long length =
      file.is_open() ? system_call(SYS_read, file.number(), line, sizeof line - 1) : -1;
  struct stat space{};
  if (length <= 0 || stat("/proc/self/ns/pid", &space) != 0) {
    return false;
  }
  line[length] = '\0';
  name = {static_cast<std::uint64_t>(system_call(SYS_geteuid)), space.st_ino,
          static_cast<std::uint64_t>(getpid()), support::stat_number(line, support::kStartTicks)};
  image = support::image_of(line);
  return true;
}

std::size_t common_letters(const char* name) {
  const char* at = name + sizeof kPrefix - 1;
  for (int i = 0; i < 2; ++i) {
    at = strchr(at, '-') + 1;
  }
  return static_cast<std::size_t>(at - name);
}

// Removes files, also of ranks, that the user's processes left because they ended without exit(). A
// file with this process's number was left by the program before exec.
void remove_leftovers(int folder, const Name& own, const char* own_text) {
  constexpr int kMostReads = 16;  // the folder may have many files of others
  const std::size_t common = common_letters(own_text);
  support::each_name_in(folder, kMostReads, [&](const char* text) {
    if (*text != *kPrefix) {
      return;
    }
    Name name;
    const bool is_ours = strncmp(text, own_text, common) == 0 && parse(text, name);
    if (is_ours && (name.process == own.process || !support::is_alive(name.process))) {
      remove_at(folder, text);
    }
    if (!ranks::is_a_rank()) {
      ranks::remove_if_left(folder, text, own.user, own.space);
    }
  });
}

// Returns null if the file system has no room.
void* map(int file, std::size_t size) {
  constexpr int kMode = 0;  // unlike posix_fallocate, this call never writes to the file
  if (!support::may_write(size) ||
      system_call(SYS_fallocate, file, kMode, 0L, static_cast<long>(size)) != 0) {
    return nullptr;
  }
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void write_header(const File& file, const Name& name, Word image) {
  const auto set = [&](unsigned at, Word value) {
    file.words[at].store(value, std::memory_order_relaxed);
  };
  set(kVersionAt, kVersion);
  set(kProcess, name.process);
  set(kStart, name.start);
  set(kImage, image);
  set(kRecords, file.records);
  file.words[kMagicAt].store(kMagic, std::memory_order_release);
}

bool set_path(const char* folder, const char* name) {
  const std::size_t length = strlen(folder);
  if (length + 1 + strlen(name) >= sizeof g_made.path) {
    return false;
  }
  memcpy(g_made.path, folder, length);
  g_made.path[length] = '/';
  memcpy(g_made.path + length + 1, name, strlen(name) + 1);
  return true;
}

}  // namespace

File make_file(const char* folder, unsigned records) {
  const support::ErrnoKept errno_kept;
  Name name;
  Word image = 0;
  char text[kMostName];
  const Descriptor here(support::open_folder(folder));
  if (!here.is_open() || !identify(name, image)) {
    return {};
  }
  print(name, text);
  if (!set_path(folder, text)) {
    return {};
  }
  remove_leftovers(here.number(), name, text);
  const Descriptor file(open_at(here.number(), text, O_RDWR | O_CREAT | O_EXCL));
  void* const memory = file.is_open() ? map(file.number(), bytes_of(records)) : nullptr;
  if (memory == nullptr) {
    if (file.is_open()) {
      remove_at(here.number(), text);
    }
    return {};
  }
  // The kernel has set the whole memory to zero.
  const File made{new (memory) SharedWord[bytes_of(records) / sizeof(SharedWord)], records};
  write_header(made, name, image);
  g_made.process = getpid();
  return made;
}

void remove_file() {
  const support::ErrnoKept errno_kept;
  if (g_made.process != 0 && g_made.process == getpid()) {
    remove_at(AT_FDCWD, g_made.path);
  }
}

}  // namespace nestbind::publish
