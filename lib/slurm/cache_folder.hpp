// SPDX-License-Identifier: BSD-3-Clause
// The folder in NESTBIND_CACHE, for one job on one node.
#pragma once

#include <sys/types.h>

#include <string>

#include "support/files.hpp"

namespace nestbind::slurm {

// The default parent of the job folders, in the node's memory. A reboot empties this folder.
inline constexpr char kCacheParent[] = "/dev/shm";

std::string cache_name(const std::string& parent, uid_t user, unsigned job);

// Removes the user's job folders that no process holds. Needs the user's rights.
void remove_left_folders(const std::string& parent, uid_t user);

// A job's folder, locked by this step (flock), so that no other step removes it. The kernel
// releases the locks of killed steps, so that a later step may remove the folder.
class CacheFolder {
 public:
  // If hold() fails, is_held() is false. A folder is rejected if it is a link, or if other users
  // can use it. Call hold() with the user's rights.
  static CacheFolder hold(const std::string& name);

  CacheFolder() = default;

  bool is_held() const { return folder_.is_open(); }
  const std::string& name() const { return name_; }

  // Unlocks the folder. If no other step has a lock on it, removes the folder with its files. May
  // be called with root's rights.
  void leave();

 private:
  CacheFolder(std::string name, support::Descriptor folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}
  std::string name_;
  support::Descriptor folder_;
};

}  // namespace nestbind::slurm
