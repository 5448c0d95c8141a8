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

// These functions read lists as the loader does (ld.so(8)): folders of DT_RPATH, DT_RUNPATH and
// LD_LIBRARY_PATH, and libraries of LD_PRELOAD and /etc/ld.so.preload. All except origin_of and
// real_path are pure.

// The values of $ORIGIN, $LIB and $PLATFORM. A value that is not known is empty.
struct Tokens {
  std::string origin;
  std::string lib;
  std::string platform;
};

// Replaces the tokens in a path. Not set if a token has no value, or if the result is too long.
std::optional<std::string> expand(std::string_view path, const Tokens& tokens);

// Returns the folders of a list in order, each once, with "/" at the end. "" is the current folder.
// Leaves out folders with a token that has no value, and all after the first 1024 (sets is_cut).
std::vector<std::string> folders_of(std::string_view list, std::string_view separators,
                                    const Tokens& tokens, bool& is_cut);

// Returns the value of $ORIGIN for a file: an absolute folder, without "/" at the end.
std::string origin_of(const std::string& path);

// Returns the path without symbolic links, or `path` if it cannot be resolved.
std::string real_path(const std::string& path);

std::vector<std::string> names_in_preload(std::string_view variable);

// Returns the names in a file such as /etc/ld.so.preload, where "#" begins a comment.
std::vector<std::string> names_in_preload_file(std::string_view text);

// What we know of a loader: where it looks for the libraries of all programs.
struct Loader {
  std::string path;
  std::vector<std::string> folders;  // its system search path, in order; each folder ends in "/"
  std::vector<std::string> levels;   // subfolders of glibc-hwcaps to search, the best first
  std::string cache;                 // the file that ldconfig has written; empty if there is none
  bool is_asked = false;             // if false, the loader was not run and the folders are assumed
};

// Returns this command's own loader. If the loader does not answer, takes the folders of ld.so(8).
Loader own_loader();

// Returns the loader at a path. Runs only our own loader. For another loader, assumes that loader's
// folder, the folder of the same name in /usr, no cache, and our own loader's levels.
Loader loader_at(const std::string& path);

// Reads the output of the loader's `--help`. Pure.
Loader loader_in(std::string_view help);

// The libraries that ldconfig has found.
class Cache {
 public:
  Cache() = default;
  // Reads the output of `ldconfig -p`. Pure.
  explicit Cache(std::string_view listing);

  bool is_known() const { return is_known_; }
  // Returns the files with this name, for any architecture. The best level comes first.
  std::vector<std::string> find(const std::string& name,
                                const std::vector<std::string>& levels) const;

 private:
  struct Entry {
    std::string path;
    std::string level;  // empty if the file is for all processors
  };
  std::unordered_map<std::string, std::vector<Entry>> entries_;
  bool is_known_ = false;
};

// Reads a cache file of ldconfig. Without ldconfig, is_known() of the result is false.
Cache read_cache(const std::string& file);

}  // namespace nestbind::cli::inspect
