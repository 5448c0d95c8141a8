// SPDX-License-Identifier: BSD-3-Clause
// After elf/dl-load.c of glibc: _dl_map_object(), open_path(), open_verify().
#include "cli/inspect/library_search.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "cli/inspect/loadable.hpp"

namespace nestbind::cli::inspect {

namespace {

using Answer = FoundLibrary::Answer;

// A program of two hundred libraries, each in a folder of its own, looks at some ten thousand
// files.
constexpr std::size_t kMaxLooks = 500000;
constexpr std::size_t kMaxSteps = 20000000;
constexpr std::size_t kMaxText = 1 << 24;  // of remembered folders

}  // namespace

LibrarySearch::LibrarySearch(const Loader& loader, const Processor& processor,
                             const std::string& library_path, const Needer& program)
    : loader_(loader),
      program_(program),
      platform_(processor.platform),
      hwcaps_(hwcaps_of(processor, loader)),
      cache_file_(loader.cache),
      cache_(cache_file_.bytes()),
      library_path_(folders_of(library_path, ":;", tokens_of(program), is_cut_)) {}

Tokens LibrarySearch::tokens_of(const Needer& needer) const {
  return {needer.origin, loader_.lib, platform_};
}

// Of DT_RPATH or DT_RUNPATH, whichever is in force.
const LibrarySearch::Folders& LibrarySearch::own_folders(const Needer& needer) {
  const auto known = own_folders_.find(&needer);
  if (known != own_folders_.end()) {
    return known->second;
  }
  const ElfFile& file = *needer.file;
  const std::string& list = file.has_runpath ? file.runpath : file.rpath;
  Folders folders = folders_of(list, ":", tokens_of(needer), is_cut_);
  for (const std::string& folder : folders) {
    own_text_ += folder.size();
  }
  if (own_text_ > kMaxText) {
    is_cut_ = true;
    folders.clear();
  }
  return own_folders_.emplace(&needer, std::move(folders)).first->second;
}

// Why the search stops, or cannot be sure of what it has not found; empty: it goes on.
std::string LibrarySearch::bound_met() const {
  if (looks_ > kMaxLooks || steps_ > kMaxSteps) {
    return "there are more folders and files to look at than a program has";
  }
  return is_cut_ ? "a path of libraries has more folders than are looked into" : "";
}

FoundLibrary LibrarySearch::find(const std::string& name, const Needer& needer) {
  FoundLibrary found;
  if (name.find('/') != std::string::npos) {
    const auto path = expand(name, tokens_of(needer));
    found = path ? look_at(*path) : found;
  } else {
    const auto then = [&](auto look) { found = found.answer == Answer::kNo ? look() : found; };
    then([&] { return needer.file->has_runpath ? found : find_by_rpath(name, needer); });
    then([&] { return find_in(library_path_, name); });
    then([&] { return needer.file->has_runpath ? find_in(own_folders(needer), name) : found; });
    then([&] { return find_in_cache(name, needer); });
    then([&] {
      return needer.file->has_no_default_folders ? found : find_in(loader_.trusted, name);
    });
  }
  const std::string fault = found.answer == Answer::kNo ? bound_met() : "";
  return fault.empty() ? found : FoundLibrary{Answer::kFault, "", fault, {}};
}

// The DT_RPATH of who needs it, of who needs that, and so on; of the program in any case.
FoundLibrary LibrarySearch::find_by_rpath(const std::string& name, const Needer& needer) {
  FoundLibrary found;
  bool was_program = false;
  for (const Needer* one = &needer; one != nullptr && found.answer == Answer::kNo;
       one = one->needed_by) {
    if (!one->file->has_runpath) {
      found = find_in(own_folders(*one), name);
    }
    was_program |= one == &program_;
    ++steps_;
  }
  if (found.answer == Answer::kNo && !was_program && !program_.file->has_runpath) {
    found = find_in(own_folders(program_), name);
  }
  return found;
}

FoundLibrary LibrarySearch::find_in(const Folders& folders, const std::string& name) {
  for (const std::string& folder : folders) {
    bool is_any_there = false;
    for (const std::string& subfolder : hwcaps_.subfolders) {
      if (++steps_ > kMaxSteps || looks_ > kMaxLooks) {
        return {};
      }
      const std::string where = folder + subfolder;
      if (!is_there(where)) {
        continue;
      }
      is_any_there = true;
      FoundLibrary found = look_at(where + name);
      if (found.answer != Answer::kNo) {
        return found;
      }
    }
    // The file is there, and something is wrong with it: the other folders do not count.
    if (is_any_there && error_ != 0 && error_ != ENOENT && error_ != EACCES) {
      break;
    }
  }
  return {};
}

FoundLibrary LibrarySearch::find_in_cache(const std::string& name, const Needer& needer) {
  const std::string path = cache_.find(name, hwcaps_);
  const bool is_barred = needer.file->has_no_default_folders && is_trusted(path);
  return path.empty() || is_barred ? FoundLibrary{} : look_at(path);
}

bool LibrarySearch::is_trusted(std::string_view path) const {
  return std::any_of(loader_.trusted.begin(), loader_.trusted.end(),
                     [&](const std::string& folder) { return path.starts_with(folder); });
}

bool LibrarySearch::is_there(const std::string& folder) {
  if (!folder.starts_with('/')) {
    return true;
  }
  const auto known = known_.find(folder);
  if (known != known_.end()) {
    return known->second;
  }
  ++looks_;
  struct stat status{};
  const bool is_it = stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  known_text_ += folder.size();
  if (known_text_ < kMaxText) {
    known_.emplace(folder, is_it);
  }
  return is_it;
}

FoundLibrary LibrarySearch::look_at(const std::string& path) {
  if (++looks_ > kMaxLooks) {
    return {};
  }
  const MappedFile file(path);
  error_ = file.error();
  if (error_ != 0) {
    return {};
  }
  if (!file.fault().empty()) {
    return {Answer::kFault, path, file.fault(), {}};
  }
  const Loadable is_loadable = loadable(file.bytes());
  if (is_loadable.answer == Loadable::Answer::kOther) {
    error_ = ENOENT;
    return {};
  }
  const bool is_good = is_loadable.answer == Loadable::Answer::kYes;
  return {is_good ? Answer::kYes : Answer::kFault, path, is_loadable.fault, file.identity()};
}

}  // namespace nestbind::cli::inspect
