// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nestbind::cli::tune {

// The folder of the runs' output: one that the user names, which is made if it is missing and
// stays; otherwise a new one under TMPDIR or /tmp, which is gone at the end, once it is empty.
class Folder {
 public:
  explicit Folder(const std::string& asked);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }    // empty: it cannot be had
  const std::string& fault() const { return fault_; }  // why not

 private:
  std::string path_;
  std::string fault_;
  bool is_own_;
};

}  // namespace nestbind::cli::tune
