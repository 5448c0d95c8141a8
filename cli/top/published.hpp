// SPDX-License-Identifier: BSD-3-Clause
// Reads copies of published files (lib/preload/observe/publish), whose owners may truncate them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/sample.hpp"
#include "observe/publish/format.hpp"

namespace nestbind::cli::top {

using Words = std::vector<publish::Word>;

// Parses two copies of a file. The second copy must begin after the first is complete. Leaves out
// parts that differ between the copies. Returns nothing if the file is incomplete or has another
// format.
std::optional<Published> parse_published(const Words& first, const Words& second);

bool is_of(const publish::Name& name, const Published& published, const Stat& process);

// Returns the folder of these files, by NESTBIND_PUBLISH.
std::string folder_of_files();

class PublishedFiles {
 public:
  explicit PublishedFiles(std::string folder);

  // Removes the files of this user's processes that have ended.
  void look();

  std::vector<int> processes() const;

  // Returns nothing if the process has no file, or if another user owns the file. If the file is
  // older than the process's last exec, removes the file and returns nothing.
  std::optional<Published> read(int process, const Stat& stat) const;

 private:
  void remove(const publish::Name& name) const;

  std::string folder_;
  std::uint64_t space_ = 0;
  std::map<int, publish::Name> names_;
};

}  // namespace nestbind::cli::top
