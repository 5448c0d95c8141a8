// SPDX-License-Identifier: BSD-3-Clause
// The files that a subcommand writes.
#pragma once

#include <string>

namespace nestbind::cli {

// Creates or overwrites a file. Returns whether all text was written; if not, errno says why.
bool write_file(const std::string& name, const std::string& text);

// Why this file cannot be written, as an errno; 0: it can be written. Does not create or change it.
int output_error(const std::string& name);

// The standard output goes to this file. It is made or emptied at the first output, so an earlier
// failure does not change it. rsvg-convert makes a PNG. Throws std::runtime_error.
void redirect_output(const std::string& file, bool draws);

// Call it after the last output. If the file could not be written, says so and returns kFailure.
int close_output(int status);

// A new folder under TMPDIR or /tmp. The destructor removes the folder and its contents.
class TemporaryFolder {
 public:
  // name: the purpose. The name of the folder is "nestbind-NAME-...".
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }    // empty: the folder could not be made
  const std::string& fault() const { return fault_; }  // why it could not be made

 private:
  std::string path_;
  std::string fault_;
};

}  // namespace nestbind::cli
