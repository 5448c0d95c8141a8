// SPDX-License-Identifier: BSD-3-Clause
// Searches libraries as ld.so(8) describes.
#include "cli/inspect/loaded_libraries.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "cli/inspect/loader.hpp"
#include "cli/inspect/mapped_file.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kMaxLibraries = 1000;
constexpr std::size_t kMaxNeeds = 1 << 16;  // DT_NEEDED entries of all files together

constexpr char kPreloadFile[] = "/etc/ld.so.preload";

// A program with two hundred libraries in two hundred folders needs about ten thousand tests.
constexpr std::size_t kMaxLooks = 500000;

std::string platform_of_kernel() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel passes the pointer as a number
  const auto* text = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  return text == nullptr ? "" : text;
}

// The program or a library, which needs libraries. The object must not move during a search.
struct Needer {
  const ElfFile* file = nullptr;
  std::string origin;
  const Needer* needed_by = nullptr;
};

struct FoundLibrary {
  std::string path;
  std::string fault;  // why the loader, or this search, stops at this file
  ElfFile file;

  bool is_answer() const { return !path.empty() || !fault.empty(); }
};

class LibrarySearch {
 public:
  LibrarySearch(const std::string& interpreter, const std::string& library_path,
                const Needer& program);

  // name: as in DT_NEEDED or LD_PRELOAD, after expand() has replaced its tokens.
  FoundLibrary find(const std::string& name, const Needer& needer);

  Tokens tokens_of(const Needer& needer) const;

 private:
  using Folders = std::vector<std::string>;

  FoundLibrary find_in(const Folders& folders, const std::string& name);
  FoundLibrary find_in_cache(const std::string& name);
  FoundLibrary find_by_rpath(const std::string& name, const Needer& needer);
  FoundLibrary look_at(const std::string& path);
  Folders with_levels(const Folders& folders) const;
  const Folders& own_folders(const Needer& needer);
  std::string reason_of_doubt(const std::string& name) const;

  Loader loader_;
  Cache cache_;
  Folders system_;
  Folders library_path_;
  std::unordered_map<const Needer*, Folders> own_folders_;
  bool is_cut_ = false;  // a list of folders was too long, and its end is left out
  std::size_t looks_ = 0;
};

LibrarySearch::LibrarySearch(const std::string& interpreter, const std::string& library_path,
                             const Needer& program)
    : loader_(loader_at(interpreter)),
      cache_(read_cache(loader_.cache)),
      system_(with_levels(loader_.folders)),
      library_path_(with_levels(folders_of(library_path, ":;", tokens_of(program), is_cut_))) {}

// For example, $LIB is "lib64" if the first system folder is "/lib64/".
Tokens LibrarySearch::tokens_of(const Needer& needer) const {
  const std::string& first = loader_.folders.front();
  const std::size_t begin = first.find("/lib");
  const std::string lib = begin == std::string::npos ? "lib" : first.substr(begin + 1);
  return {needer.origin, lib.substr(0, lib.find_last_not_of('/') + 1), platform_of_kernel()};
}

LibrarySearch::Folders LibrarySearch::with_levels(const Folders& folders) const {
  Folders all;
  for (const std::string& folder : folders) {
    const std::string levels = folder + "glibc-hwcaps/";
    for (const std::string& level : loader_.levels) {
      if (access((levels + level).c_str(), F_OK) == 0) {
        all.push_back(levels + level + "/");
      }
    }
    all.push_back(folder);
  }
  return all;
}

const LibrarySearch::Folders& LibrarySearch::own_folders(const Needer& needer) {
  const auto known = own_folders_.find(&needer);
  if (known != own_folders_.end()) {
    return known->second;
  }
  const std::string& list = needer.file->has_runpath ? needer.file->runpath : needer.file->rpath;
  Folders folders = with_levels(folders_of(list, ":", tokens_of(needer), is_cut_));
  return own_folders_.emplace(&needer, std::move(folders)).first->second;
}

FoundLibrary LibrarySearch::find(const std::string& name, const Needer& needer) {
  if (name.find('/') != std::string::npos) {
    return look_at(name);
  }
  FoundLibrary found;
  const auto then = [&](bool is_to_look, auto look) {
    if (is_to_look && !found.is_answer()) {
      found = look();
    }
  };
  const bool has_runpath = needer.file->has_runpath;
  then(!has_runpath, [&] { return find_by_rpath(name, needer); });
  then(true, [&] { return find_in(library_path_, name); });
  then(has_runpath, [&] { return find_in(own_folders(needer), name); });
  then(true, [&] { return find_in_cache(name); });
  then(true, [&] { return find_in(system_, name); });
  if (!found.is_answer()) {
    found.fault = reason_of_doubt(name);
  }
  return found;
}

// The result is empty if the library certainly does not exist.
std::string LibrarySearch::reason_of_doubt(const std::string& name) const {
  if (looks_ > kMaxLooks || is_cut_) {
    return "the search would need more folders and files than any real program has";
  }
  if (loader_.is_asked) {
    const bool has_unread = !cache_.is_known() && access(loader_.cache.c_str(), F_OK) == 0;
    return has_unread ? name + " is not found, and ldconfig does not show " + loader_.cache : "";
  }
  return name + " is not found, and the loader " + loader_.path +
         " is not asked for its folders of libraries";
}

FoundLibrary LibrarySearch::find_by_rpath(const std::string& name, const Needer& needer) {
  FoundLibrary found;
  for (const Needer* one = &needer; one != nullptr && !found.is_answer(); one = one->needed_by) {
    if (!one->file->has_runpath) {
      found = find_in(own_folders(*one), name);
    }
  }
  return found;
}

FoundLibrary LibrarySearch::find_in(const Folders& folders, const std::string& name) {
  FoundLibrary found;
  for (auto folder = folders.begin(); folder != folders.end() && !found.is_answer(); ++folder) {
    found = look_at(*folder + name);
  }
  return found;
}

FoundLibrary LibrarySearch::find_in_cache(const std::string& name) {
  FoundLibrary found;
  for (const std::string& path : cache_.find(name, loader_.levels)) {
    found = found.is_answer() ? found : look_at(path);
  }
  return found;
}

FoundLibrary LibrarySearch::look_at(const std::string& path) {
  if (++looks_ > kMaxLooks) {
    return {};
  }
  const MappedFile file(path);
  if (file.error() != 0) {
    return {};
  }
  FoundLibrary found{path, file.fault(), {}};
  if (found.fault.empty()) {
    found.file = read_elf_bytes(file.bytes(), SymbolTables::kDynamic, is_openmp_symbol);
    found.fault = found.file.kind == ElfFile::Kind::kNotElf ? "invalid ELF header" : "";
  }
  return found.file.kind == ElfFile::Kind::kForeign ? FoundLibrary{} : found;
}

class Process {
 public:
  Process(const std::string& program, const ElfFile& file, const ElfFile& loader,
          const LoaderVariables& variables)
      : program_(program),
        needer_{&file, origin_of(real_path(program)), nullptr},
        interpreter_(file.interpreter),
        loader_(loader),
        search_(interpreter_, variables.library_path, needer_) {}

  Listing list(const std::string& preload) {
    for (const std::string& name : names_in_preload(preload)) {
      load(name, needer_, Wish::kPreload);
    }
    for (const std::string& name : names_in_preload_file(MappedFile(kPreloadFile).bytes())) {
      load(name, needer_, Wish::kPreload);
    }
    load_needs_of(needer_, program_);
    for (std::size_t at = 0; at < objects_.size(); ++at) {
      load_needs_of(objects_[at].needer, objects_[at].library.path);
    }
    Listing listing{{}, fault_};
    for (Object& object : objects_) {
      listing.libraries.push_back(std::move(object.library));
    }
    return listing;
  }

 private:
  struct Object {
    LoadedLibrary library;
    Needer needer;
  };
  // kPreload: if the loader cannot load the library, it continues without this library.
  enum class Wish { kNeed, kPreload };

  void load_needs_of(const Needer& needer, const std::string& path) {
    const ElfFile& file = *needer.file;
    needs_ += file.needed.size();
    if (fault_.empty() && !file.is_all_needed) {
      fault_ = path + " is not read as a whole; left out: " + join(file.left_out, "; ");
    } else if (fault_.empty() && needs_ > kMaxNeeds) {
      fault_ = "they need more than " + std::to_string(kMaxNeeds) + " others in all";
    }
    for (const std::string& name : file.needed) {
      load(name, needer, Wish::kNeed);
    }
  }

  bool is_loader(const std::string& name) const {
    return name == interpreter_ || name == loader_.soname;
  }

  void load(const std::string& text, const Needer& needer, Wish wish) {
    const auto name = expand(text, search_.tokens_of(needer));
    if (!fault_.empty() || !name || name->empty() || known_.contains(*name)) {
      return;
    }
    FoundLibrary found =
        is_loader(*name) ? FoundLibrary{interpreter_, "", loader_} : search_.find(*name, needer);
    if (wish == Wish::kPreload && (found.path.empty() || !found.fault.empty())) {
      return;
    }
    if (!found.fault.empty()) {
      fault_ = (found.path.empty() ? "" : found.path + ": ") + found.fault;
      return;
    }
    known_.insert(*name);
    if (!found.path.empty() && !files_.insert(real_path(found.path)).second) {
      return;  // the file is loaded already, under another name
    }
    if (objects_.size() == kMaxLibraries) {
      fault_ = "there are more than " + std::to_string(kMaxLibraries) + " of them";
      return;
    }
    if (!found.file.soname.empty()) {
      known_.insert(found.file.soname);
    }
    Object& object = objects_.emplace_back();
    object.library = {is_loader(*name) ? interpreter_ : *name, found.path, std::move(found.file)};
    object.needer = {&object.library.file, found.path.empty() ? "" : origin_of(found.path),
                     &needer};
  }

  const std::string& program_;
  Needer needer_;
  std::string interpreter_;
  const ElfFile& loader_;
  LibrarySearch search_;
  std::deque<Object> objects_;  // a deque: its elements do not move
  std::unordered_set<std::string> known_;
  std::unordered_set<std::string> files_;
  std::size_t needs_ = 0;
  std::string fault_;
};

}  // namespace

LoaderVariables own_loader_variables() {
  return {variable("LD_LIBRARY_PATH"), variable("LD_PRELOAD")};
}

Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables) {
  const ElfFile loader = read_elf(file.interpreter, SymbolTables::kDynamic, nullptr);
  if (!loader.fault.empty()) {
    return {{}, "its loader " + file.interpreter + ": " + loader.fault};
  }
  return Process(program, file, loader, variables).list(variables.preload);
}

std::string find_library_file(const std::string& name) {
  const ElfFile self = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr);
  const Needer needer{&self, origin_of(real_path("/proc/self/exe")), nullptr};
  LibrarySearch search(self.interpreter, own_loader_variables().library_path, needer);
  const FoundLibrary found = search.find(name, needer);
  return found.fault.empty() ? found.path : "";
}

}  // namespace nestbind::cli::inspect
