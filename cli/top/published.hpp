// SPDX-License-Identifier: BSD-3-Clause
// Reads copies of published files (lib/preload/observe/publish), which their owner may truncate.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/sample.hpp"
#include "observe/publish/format.hpp"
#include "observe/publish/name.hpp"

namespace nestbind::cli::top {

using Words = std::vector<publish::Word>;

// Parses two copies of a file. The second copy was begun after the first was complete. Leaves out
// parts that are different in the copies. Not set if the file is of another kind or not complete.
std::optional<Published> parse_published(const Words& first, const Words& second);

// Whether this process has written the file after its last exec.
bool is_of(const publish::Name& name, const Published& published, const Stat& process);

class PublishedFiles {
 public:
  explicit PublishedFiles(std::string folder);

  // Lists the files. Removes files of this user's processes that have ended.
  void look();

  // The processes that have a file, ascending.
  std::vector<int> processes() const;

  // Not set: there is no file, it is another user's, or it is older than the last exec (removed).
  std::optional<Published> read(int process, const Stat& stat) const;

 private:
  void remove(const publish::Name& name) const;

  std::string folder_;
  std::uint64_t space_ = 0;  // the PID namespace of this process
  std::map<int, publish::Name> names_;
};

}  // namespace nestbind::cli::top
