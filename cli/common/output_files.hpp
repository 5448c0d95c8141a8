// SPDX-License-Identifier: BSD-3-Clause
// What a subcommand writes beside its output.
#pragma once

#include <string>

namespace nestbind::cli {

// Writes a file anew. Returns whether all of it is there; errno says why not.
bool write_file(const std::string& name, const std::string& text);

// What is written to the standard output goes to this file from now on; through rsvg-convert if it
// is to be a PNG. Throws std::runtime_error.
void redirect_output(const std::string& file, bool draws);

// After the last of that. Returns the exit status: kFailure, with a message, if it was not written.
int close_output(int status);

// A new folder under TMPDIR or /tmp, which is gone with all that is in it when this is.
class TemporaryFolder {
 public:
  // name: of what it is for, "nestbind-NAME-...".
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }    // empty: it cannot be had
  const std::string& fault() const { return fault_; }  // why not

 private:
  std::string path_;
  std::string fault_;
};

}  // namespace nestbind::cli
