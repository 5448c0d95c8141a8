// SPDX-License-Identifier: BSD-3-Clause
// Finds the system's libraries. Runs this command's own loader (--help, glibc 2.33 and later) and
// ldconfig (-p). Runs no other program, and no file that a user names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestbind::cli::inspect {

// These functions read lists of folders and libraries as the loader does (ld.so(8)).

// The values of $ORIGIN, $LIB and $PLATFORM. A value that is not known is empty.
struct Tokens {
  std::string origin;
  std::string lib;
  std::string platform;
};

// Not set if a token has no value, or if the result is too long.
std::optional<std::string> expand(std::string_view path, const Tokens& tokens);

// Returns the folders of a list in order, each once, with "/" at the end. "" is the current folder.
// Leaves out a folder if one of its tokens has no value. Keeps at most 1024 folders, and sets
// is_cut if there are more.
std::vector<std::string> folders_of(std::string_view list, std::string_view separators,
                                    const Tokens& tokens, bool& is_cut);

// Returns the value of $ORIGIN for a file: an absolute folder, without "/" at the end.
std::string origin_of(const std::string& path);

// Returns the path without symbolic links, or `path` if it cannot be resolved.
std::string real_path(const std::string& path);

std::vector<std::string> names_in_preload(std::string_view variable);

std::vector<std::string> names_in_preload_file(std::string_view text);

struct Loader {
  std::string path;
  std::vector<std::string> folders;  // its system search path, in order; each folder ends in "/"
  std::vector<std::string> levels;   // subfolders of glibc-hwcaps to search, the best first
  std::string cache;
  bool is_asked = false;  // if false, the loader was not run and the folders are assumed
};

// If the loader does not answer, takes the folders of ld.so(8).
Loader own_loader();

// Runs only our own loader.
Loader loader_at(const std::string& path);

Loader loader_in(std::string_view help);

class Cache {
 public:
  Cache() = default;
  explicit Cache(std::string_view listing);

  bool is_known() const { return is_known_; }
  // Returns the files with this name, for any architecture. The best level comes first.
  std::vector<std::string> find(const std::string& name,
                                const std::vector<std::string>& levels) const;

 private:
  struct Entry {
    std::string path;
    std::string level;
  };
  std::unordered_map<std::string, std::vector<Entry>> entries_;
  bool is_known_ = false;
};

// Without ldconfig, is_known() of the result is false.
Cache read_cache(const std::string& file);

}  // namespace nestbind::cli::inspect
