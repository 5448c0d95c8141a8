// SPDX-License-Identifier: BSD-3-Clause
// What the system itself says of where libraries are: this command's own loader (--help, of glibc
// 2.33 and later) and ldconfig (-p). Nothing else is started, and no file that a user names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestbind::cli::inspect {

// Lists as the loader reads them (ld.so(8)): the folders of DT_RPATH, DT_RUNPATH and
// LD_LIBRARY_PATH, and the libraries of LD_PRELOAD and /etc/ld.so.preload. Pure but for the
// two that look at the system.

// What stands for $ORIGIN, $LIB and $PLATFORM; empty: nothing does.
struct Tokens {
  std::string origin;
  std::string lib;
  std::string platform;
};

// A path with its tokens replaced; none if one has nothing to stand for it, or if it becomes longer
// than a path can be.
std::optional<std::string> expand(std::string_view path, const Tokens& tokens);

// The folders of a list, each once, in order, with "/" at its end; "" is the current one. Those
// with a token that nothing stands for are left out, and those after the first 1024: `is_cut`.
std::vector<std::string> folders_of(std::string_view list, std::string_view separators,
                                    const Tokens& tokens, bool& is_cut);

// The folder that $ORIGIN is for a file: absolute, without "/" at its end.
std::string origin_of(const std::string& path);

// Without symbolic links; the path itself where it cannot be resolved.
std::string real_path(const std::string& path);

// The names in LD_PRELOAD.
std::vector<std::string> names_in_preload(std::string_view variable);

// The names in a file such as /etc/ld.so.preload, where "#" begins a comment.
std::vector<std::string> names_in_preload_file(std::string_view text);

// Where a loader looks for everybody's libraries.
struct Loader {
  std::string path;
  std::vector<std::string> folders;  // its system search path, in order, each with "/" at its end
  std::vector<std::string> levels;   // subfolders of glibc-hwcaps that it searches, the best first
  std::string cache;                 // the file that ldconfig writes; empty: none
  bool is_asked = false;             // false: the folders are an assumption
};

// That of this command; where it does not answer, the folders are those of ld.so(8).
Loader own_loader();

// The one at a path. Another than our own is not asked: its folders are the one where it is and
// that of the same name in usr, it has no cache, and the levels are our own.
Loader loader_at(const std::string& path);

// What `--help` prints. Pure.
Loader loader_in(std::string_view help);

// The libraries that ldconfig has found.
class Cache {
 public:
  Cache() = default;
  // What `ldconfig -p` prints. Pure.
  explicit Cache(std::string_view listing);

  bool is_known() const { return is_known_; }
  // The files for a name, the best level first, of any architecture.
  std::vector<std::string> find(const std::string& name,
                                const std::vector<std::string>& levels) const;

 private:
  struct Entry {
    std::string path;
    std::string level;  // empty: for every processor
  };
  std::unordered_map<std::string, std::vector<Entry>> entries_;
  bool is_known_ = false;
};

// Of a file that ldconfig has written; unknown where there is no ldconfig.
Cache read_cache(const std::string& file);

}  // namespace nestbind::cli::inspect
