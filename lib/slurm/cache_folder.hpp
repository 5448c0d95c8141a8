// SPDX-License-Identifier: BSD-3-Clause
// The folder of a job on one node where its processes keep the machine (NESTBIND_CACHE).
#pragma once

#include <sys/types.h>

#include <string>

namespace nestbind::slurm {

// In the memory of the node, and gone at its next start.
inline constexpr char kCacheParent[] = "/dev/shm";

std::string cache_name(const std::string& parent, uid_t user, unsigned job);

// Removes the user's folders of jobs that nobody holds: what steps that were killed have left.
// Called with the user's rights.
void remove_left_folders(const std::string& parent, uid_t user);

// A folder that is held: nobody removes it. The steps of a job share one, and each holds it as long
// as it runs. That is a lock on the folder (flock), which the kernel takes from who was killed, so
// that whoever comes next may remove what is left.
class CacheFolder {
 public:
  // Makes the folder, or finds it, and holds it. None where that cannot be, or where it is not a
  // folder that this user alone can use (a link, another user's). Called with the user's rights.
  static CacheFolder hold(const std::string& name);

  CacheFolder() = default;
  CacheFolder(CacheFolder&& other) noexcept;
  CacheFolder& operator=(CacheFolder&& other) noexcept;
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  ~CacheFolder();

  bool is_held() const { return folder_ >= 0; }
  const std::string& name() const { return name_; }

  // Ends that, and removes the folder and its files where no other step holds it. May be called
  // with root's rights: for files it takes the rights of the folder's owner.
  void leave();

 private:
  CacheFolder(std::string name, int folder) : name_(std::move(name)), folder_(folder) {}
  std::string name_;
  int folder_ = -1;
};

}  // namespace nestbind::slurm
