// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/own_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace nestbind::cli {

namespace {

// In LD_LIBRARY_PATH, ":" and ";" separate paths, and "$" begins a word that the loader replaces.
constexpr char kNotInLibraryPath[] = ":;$";

// True if other users cannot replace this user's folder in the parent folder.
bool is_safe_parent(const struct stat& status) {
  const bool is_trusted = status.st_uid == geteuid() || status.st_uid == 0;
  const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return S_ISDIR(status.st_mode) && is_trusted &&
         (!others_write || (status.st_mode & S_ISVTX) != 0);
}

bool make_private(const std::string& path, std::string& fault) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    fault = path + ": " + std::strerror(errno);
    return false;
  }
  struct stat status{};
  // Refuses a symbolic link, because another user may have made the link.
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fault = path + " is not a folder of this user alone (mode 0700)";
    return false;
  }
  return true;
}

std::string place_in(const char* parent, const std::string& name) {
  struct stat status{};
  const bool is_usable =
      parent != nullptr && parent[0] == '/' && std::strpbrk(parent, kNotInLibraryPath) == nullptr &&
      stat(parent, &status) == 0 && is_safe_parent(status) && access(parent, W_OK | X_OK) == 0;
  return is_usable ? std::string(parent) + "/" + name : std::string();
}

std::string user_folder() {
  std::string path = place_in(std::getenv("XDG_RUNTIME_DIR"), "nestbind");
  const std::string name = "nestbind-" + std::to_string(geteuid());
  const char* const parents[] = {std::getenv("TMPDIR"), "/tmp"};
  for (const char* parent : parents) {
    path = path.empty() ? place_in(parent, name) : path;
  }
  return path;
}

}  // namespace

std::optional<std::string> own_folder(const std::string& name, std::string& fault) {
  if (name.find_first_of(kNotInLibraryPath) != std::string::npos) {
    fault = name + ": a folder of this name cannot be in LD_LIBRARY_PATH";
    return std::nullopt;
  }
  const std::string user = user_folder();
  if (user.empty()) {
    fault = "no folder can be made in XDG_RUNTIME_DIR, TMPDIR or /tmp";
    return std::nullopt;
  }
  const std::string path = user + "/" + name;
  return make_private(user, fault) && make_private(path, fault) ? std::optional(path)
                                                                : std::nullopt;
}

bool make_link(const std::string& folder, const std::string& name, const std::string& target,
               std::string& fault) {
  const std::string path = folder + "/" + name;
  std::error_code error;
  std::filesystem::create_symlink(target, path, error);
  if (error && error != std::errc::file_exists) {
    fault = path + ": " + std::strerror(error.value());
    return false;
  }
  const bool is_it = std::filesystem::read_symlink(path, error) == target;
  fault = is_it ? fault : path + " exists, but does not lead to " + target;
  return is_it;
}

}  // namespace nestbind::cli
