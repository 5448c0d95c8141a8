// SPDX-License-Identifier: BSD-3-Clause
// The files that a subcommand writes.
#pragma once

#include <string>

#include "show/picture.hpp"

namespace nestbind::cli {

// Returns whether all text was written; if not, errno says why.
bool write_file(const std::string& name, const std::string& text);

// The same, but the file is never half written: a regular file is replaced at the end, or stays as
// it is.
bool replace_file(const std::string& name, const std::string& text);

// Returns an errno if this file cannot be written, or else 0.
int output_error(const std::string& name);

// Sends the standard output to this file. Opens the file only at the first output. Throws
// std::runtime_error.
void redirect_output(const std::string& file, bool draws);

// Returns `status`, or kFailure with a message if the output was not written.
int close_output(int status);

// A new folder under TMPDIR or /tmp.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }  // empty if the folder could not be made
  const std::string& fault() const { return fault_; }

 private:
  std::string path_;
  std::string fault_;
};

// What the standard output can show.
bool is_on_terminal();

// COLUMNS replaces the terminal's width. The height leaves room for other text. `colour` is always,
// never or auto: colours are used if the terminal has colours or CLICOLOR_FORCE is set, and
// NO_COLOR is not set. UTF-8 is used if the locale's variables select UTF-8.
show::Canvas output_canvas(const std::string& colour = "auto");

// Returns COLUMNS or the terminal's width. If both are unknown, returns `otherwise`.
int text_columns(int otherwise = 100);

bool is_utf8(const std::string& locale);

}  // namespace nestbind::cli
