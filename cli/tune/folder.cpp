// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/inspect/text.hpp"

namespace nestbind::cli::tune {

Folder::Folder(const std::string& asked) : is_own_(asked.empty()) {
  if (!is_own_) {
    const bool is_there = mkdir(asked.c_str(), 0777) == 0 || errno == EEXIST;
    const bool is_good = is_there && access(asked.c_str(), W_OK | X_OK) == 0;
    fault_ = is_good ? "" : asked + ": " + std::strerror(errno);
    path_ = is_good ? asked : "";
    return;
  }
  const std::string parent = inspect::variable("TMPDIR");
  std::string name = (parent.empty() ? "/tmp" : parent) + "/nestbind-tune-XXXXXX";
  if (mkdtemp(name.data()) != nullptr) {
    path_ = name;
  } else {
    fault_ = name + ": " + std::strerror(errno);
  }
}

Folder::~Folder() {
  if (is_own_ && !path_.empty()) {
    rmdir(path_.c_str());
  }
}

}  // namespace nestbind::cli::tune
