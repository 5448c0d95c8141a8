// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/cache_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>
#include <vector>

namespace nestbind::slurm {

namespace {

// A step that ends may remove the folder just after hold() has opened the folder.
constexpr int kTries = 4;

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool is_of_this_user_alone(const struct stat& status) {
  return S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// Gives the calling thread the file-access rights of the owner of a file. Other threads keep their
// rights.
class RightsOf {
 public:
  explicit RightsOf(const struct stat& status)
      : group_(setfsgid(status.st_gid)), user_(setfsuid(status.st_uid)) {}
  ~RightsOf() {
    setfsuid(static_cast<uid_t>(user_));
    setfsgid(static_cast<gid_t>(group_));
  }
  RightsOf(const RightsOf&) = delete;
  RightsOf& operator=(const RightsOf&) = delete;

 private:
  int group_;
  int user_;
};

std::vector<std::string> names_in(int folder) {
  const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const files = listed < 0 ? nullptr : fdopendir(listed);
  if (files == nullptr) {
    if (listed >= 0) {
      close(listed);
    }
    return {};
  }
  std::vector<std::string> names;
  while (const dirent* file = readdir(files)) {
    names.emplace_back(static_cast<const char*>(file->d_name));
  }
  closedir(files);
  return names;
}

// The files' names are relative to the open folder, so no link leads to another folder. The kernel
// refuses to remove "." and "..".
void remove_unless_held(int folder, const std::string& name) {
  if (flock(folder, LOCK_EX | LOCK_NB) != 0) {
    return;
  }
  for (const std::string& file : names_in(folder)) {
    unlinkat(folder, file.c_str(), 0);
  }
  rmdir(name.c_str());
}

int open_folder(const std::string& name) {
  return open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

std::string names_begin(uid_t user) { return "nestbind-cache-" + std::to_string(user) + "-slurm-"; }

}  // namespace

std::string cache_name(const std::string& parent, uid_t user, unsigned job) {
  return parent + "/" + names_begin(user) + std::to_string(job);
}

void remove_left_folders(const std::string& parent, uid_t user) {
  const int all = open_folder(parent);
  for (const std::string& file : all < 0 ? std::vector<std::string>() : names_in(all)) {
    if (!file.starts_with(names_begin(user))) {
      continue;
    }
    const std::string name = std::string(parent).append("/").append(file);
    const int folder = open_folder(name);
    struct stat status{};
    if (folder >= 0 && fstat(folder, &status) == 0 && is_of_this_user_alone(status)) {
      remove_unless_held(folder, name);
    }
    if (folder >= 0) {
      close(folder);
    }
  }
  if (all >= 0) {
    close(all);
  }
}

CacheFolder CacheFolder::hold(const std::string& name) {
  for (int i = 0; i < kTries; ++i) {
    mkdir(name.c_str(), S_IRWXU);
    const int folder = open_folder(name);
    if (folder < 0) {
      continue;
    }
    struct stat opened{};
    struct stat named{};
    const bool is_own = fstat(folder, &opened) == 0 && is_of_this_user_alone(opened);
    if (is_own && flock(folder, LOCK_SH | LOCK_NB) == 0 && lstat(name.c_str(), &named) == 0 &&
        is_same(opened, named)) {
      return {name, folder};
    }
    close(folder);
    if (!is_own) {
      break;
    }
  }
  return {};
}

CacheFolder::CacheFolder(CacheFolder&& other) noexcept
    : name_(std::move(other.name_)), folder_(std::exchange(other.folder_, -1)) {}

CacheFolder& CacheFolder::operator=(CacheFolder&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(folder_, other.folder_);
  return *this;
}

CacheFolder::~CacheFolder() {
  if (folder_ >= 0) {
    close(folder_);
  }
}

void CacheFolder::leave() {
  if (folder_ < 0) {
    return;
  }
  struct stat status{};
  if (fstat(folder_, &status) == 0) {
    const RightsOf owner(status);
    remove_unless_held(folder_, name_);
  }
  close(folder_);
  folder_ = -1;
}

}  // namespace nestbind::slurm
