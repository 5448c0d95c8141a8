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
  // The C library closes this descriptor. Without memory the descriptor stays open.
  DIR* const files = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::vector<std::string> names;
  while (const dirent* file = files == nullptr ? nullptr : readdir(files)) {
    names.emplace_back(static_cast<const char*>(file->d_name));
  }
  if (files != nullptr) {
    closedir(files);
  }
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

support::Descriptor open_folder(const std::string& name) {
  return support::Descriptor(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::string names_begin(uid_t user) { return "nestbind-cache-" + std::to_string(user) + "-slurm-"; }

}  // namespace

std::string cache_name(const std::string& parent, uid_t user, unsigned job) {
  return parent + "/" + names_begin(user) + std::to_string(job);
}

void remove_left_folders(const std::string& parent, uid_t user) {
  const support::Descriptor all = open_folder(parent);
  for (const std::string& file : names_in(all.number())) {
    if (!file.starts_with(names_begin(user))) {
      continue;
    }
    const std::string name = std::string(parent).append("/").append(file);
    const support::Descriptor folder = open_folder(name);
    struct stat status{};
    if (folder.is_open() && fstat(folder.number(), &status) == 0 && is_of_this_user_alone(status)) {
      remove_unless_held(folder.number(), name);
    }
  }
}

CacheFolder CacheFolder::hold(const std::string& name) {
  for (int i = 0; i < kTries; ++i) {
    mkdir(name.c_str(), S_IRWXU);
    support::Descriptor folder = open_folder(name);
    if (!folder.is_open()) {
      continue;
    }
    struct stat opened{};
    struct stat named{};
    const bool is_own = fstat(folder.number(), &opened) == 0 && is_of_this_user_alone(opened);
    if (is_own && flock(folder.number(), LOCK_SH | LOCK_NB) == 0 &&
        lstat(name.c_str(), &named) == 0 && is_same(opened, named)) {
      return {name, std::move(folder)};
    }
    if (!is_own) {
      break;
    }
  }
  return {};
}

void CacheFolder::leave() {
  struct stat status{};
  if (folder_.is_open() && fstat(folder_.number(), &status) == 0) {
    const RightsOf owner(status);
    remove_unless_held(folder_.number(), name_);
  }
  folder_.close();
}

}  // namespace nestbind::slurm
