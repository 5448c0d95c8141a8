// SPDX-License-Identifier: BSD-3-Clause
// The files that processes publish (lib/preload/observe/publish), as their readers see them. They
// are copied, not mapped: whoever owns one may cut it at any time.
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

// What a file tells, by two copies of it, the second of which was begun when the first was
// complete. What changed meanwhile is left out. None where it is no such file, or not complete.
std::optional<Published> parse_published(const Words& first, const Words& second);

// Whether a file is of this process: of its start, and of the program that it has executed.
bool is_of(const publish::Name& name, const Published& published, const Stat& process);

class PublishedFiles {
 public:
  explicit PublishedFiles(std::string folder);

  // Looks which there are. Removes those of this user whose processes are gone.
  void look();

  // The processes that have one, ascending.
  std::vector<int> processes() const;

  // What a process tells; none where it does not, or is not to be believed: a file of another
  // user's, or of a program that it has executed before, which is removed.
  std::optional<Published> read(int process, const Stat& stat) const;

 private:
  void remove(const publish::Name& name) const;

  std::string folder_;
  std::uint64_t space_ = 0;  // this process's namespace of process numbers
  std::map<int, publish::Name> names_;
};

}  // namespace nestbind::cli::top
