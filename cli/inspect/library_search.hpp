// SPDX-License-Identifier: BSD-3-Clause
// Which file the loader takes for a library's name: ld.so(8), by looking at files only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/hwcaps.hpp"
#include "cli/inspect/loader.hpp"
#include "cli/inspect/loader_cache.hpp"
#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/search_path.hpp"

namespace nestbind::cli::inspect {

// Somebody who needs libraries: the program, or a library, and who needs it in turn.
// It stays where it is while something is searched for.
struct Needer {
  const ElfFile* file = nullptr;
  std::string origin;
  const Needer* needed_by = nullptr;  // null: it is the program
};

struct FoundLibrary {
  enum class Answer { kYes, kNo, kFault };
  Answer answer = Answer::kNo;
  std::string path;
  std::string fault;  // why the loader gives up at this file, or the search does
  FileIdentity identity;
};

class LibrarySearch {
 public:
  // library_path: LD_LIBRARY_PATH. The program is the first who needs something; it and the loader
  // must live as long.
  LibrarySearch(const Loader& loader, const Processor& processor, const std::string& library_path,
                const Needer& program);

  // name: as DT_NEEDED or LD_PRELOAD has it.
  FoundLibrary find(const std::string& name, const Needer& needer);

  // What stands for the tokens in what a file says.
  Tokens tokens_of(const Needer& needer) const;

 private:
  using Folders = std::vector<std::string>;

  FoundLibrary find_by_rpath(const std::string& name, const Needer& needer);
  FoundLibrary find_in(const Folders& folders, const std::string& name);
  FoundLibrary find_in_cache(const std::string& name, const Needer& needer);
  FoundLibrary look_at(const std::string& path);
  bool is_there(const std::string& folder);
  bool is_trusted(std::string_view path) const;
  const Folders& own_folders(const Needer& needer);
  std::string bound_met() const;

  const Loader& loader_;
  const Needer& program_;
  std::string platform_;
  Hwcaps hwcaps_;
  MappedFile cache_file_;
  LoaderCache cache_;
  bool is_cut_ = false;  // not all folders of a list are looked into
  Folders library_path_;
  std::unordered_map<const Needer*, Folders> own_folders_;
  std::size_t own_text_ = 0;                     // bytes of these
  std::unordered_map<std::string, bool> known_;  // folders, and whether they are there
  std::size_t known_text_ = 0;
  std::size_t looks_ = 0;  // at files and folders
  std::size_t steps_ = 0;  // from folder to folder
  int error_ = 0;          // of the last look at a file
};

}  // namespace nestbind::cli::inspect
