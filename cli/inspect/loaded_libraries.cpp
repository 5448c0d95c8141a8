// SPDX-License-Identifier: BSD-3-Clause
// After _dl_map_object_deps() of glibc's elf/dl-deps.c, and dl_main() of elf/rtld.c.
#include "cli/inspect/loaded_libraries.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "cli/inspect/library_search.hpp"
#include "cli/inspect/missing_symbols.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/preloads.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

// More than any program has; what a hostile one costs is bounded by them.
constexpr std::size_t kMaxLibraries = 1000;
constexpr std::size_t kMaxNeeds = 1 << 16;  // of all of them together

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

ElfFile read_library(const std::string& path) {
  return read_elf(path, SymbolTables::kDynamic, is_openmp_symbol);
}

// A process as the loader builds it up.
class Process {
 public:
  Process(const std::string& program, const ElfFile& file, const Loader& loader,
          const LoaderVariables& variables)
      : program_{LoadedLibrary{"", program, {}}, {&file, origin_of(real_path(program)), nullptr}},
        loader_{LoadedLibrary{loader.path, loader.path, {}}, {}},
        search_(loader, own_processor(), variables.library_path, program_.needer) {
    append(program_);
    enter("", program_);
    enter(file.soname, program_);
    enter(loader.path, loader_);
    enter(loader.soname, loader_);
    // The kernel has loaded it already, and nobody needs to.
    loader_.library.file = read_library(loader.path);
    loader_.needer.file = &loader_.library.file;
  }

  Listing list(const std::string& preload) {
    for (const std::string& name : preloads(preload)) {
      load_preload(name);
    }
    for (std::size_t at = 0; at < order_.size() && fault_.empty();) {
      if (order_[at]->is_done) {
        ++at;
      } else {
        load_needs_of(at);
      }
    }
    Listing listing;
    listing.is_read = fault_.empty();
    listing.fault = fault_;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      listing.libraries.push_back(std::move(order_[i]->library));
    }
    return listing;
  }

 private:
  struct Object {
    LoadedLibrary library;
    Needer needer;
    bool is_ordered = false;  // among those that are searched
    bool is_done = false;     // what it needs is loaded
  };

  void enter(const std::string& name, Object& object) { by_name_.emplace(name, &object); }

  void append(Object& object) {
    if (!object.is_ordered) {
      object.is_ordered = true;
      order_.push_back(&object);
    }
  }

  Object& add(const std::string& name, const std::string& path, const Object& needer) {
    objects_.push_back(std::make_unique<Object>());
    Object& object = *objects_.back();
    object.library = {name, path, {}};
    object.needer = {&object.library.file, "", &needer.needer};
    return object;
  }

  // Null, with the reason in `found`, if there is no such library.
  Object* load(const std::string& name, const Object& needer, FoundLibrary& found) {
    const auto known = by_name_.find(name);
    if (known != by_name_.end()) {
      return known->second;
    }
    found = search_.find(name, needer.needer);
    if (found.answer != FoundLibrary::Answer::kYes) {
      return nullptr;
    }
    const auto same = by_file_.find(found.identity);
    if (same != by_file_.end()) {
      same->second->library.other_names.push_back(name);
      enter(name, *same->second);
      return same->second;
    }
    if (objects_.size() == kMaxLibraries) {
      found = {FoundLibrary::Answer::kFault,
               "",
               "there are more than " + std::to_string(kMaxLibraries) + " of them",
               {}};
      return nullptr;
    }
    Object& object = add(name, found.path, needer);
    object.library.file = read_library(found.path);
    object.needer.origin = origin_of(found.path);
    by_file_.emplace(found.identity, &object);
    enter(name, object);
    if (!object.library.file.soname.empty()) {
      enter(object.library.file.soname, object);
    }
    return &object;
  }

  // The loader says so and goes on where it cannot.
  void load_preload(const std::string& name) {
    FoundLibrary found;
    if (Object* object = load(name, program_, found)) {
      append(*object);
    } else if (found.answer == FoundLibrary::Answer::kFault && found.path.empty()) {
      fault_ = found.fault;
    }
  }

  void stop_at(const FoundLibrary& found) {
    fault_ = (found.path.empty() ? "" : found.path + ": ") + found.fault;
  }

  void load_needs_of(std::size_t at) {
    Object& object = *order_[at];
    object.is_done = true;
    const ElfFile& file = *object.needer.file;
    if (!file.is_all_needed) {
      fault_ = object.library.path + " has more than is read: " + join(file.left_out, "; ");
      return;
    }
    needs_ += file.needed.size();
    filters_ += file.filters.size() + file.auxiliaries.size();
    if (needs_ > kMaxNeeds || filters_ > kMaxLibraries) {
      fault_ = "they need more than " + std::to_string(kMaxNeeds) + " others in all";
      return;
    }
    for (const std::string& name : file.needed) {
      load_needed(name, object);
    }
    for (const std::string& name : file.filters) {
      load_before(name, object, true);
    }
    for (const std::string& name : file.auxiliaries) {
      load_before(name, object, false);
    }
  }

  void load_needed(const std::string& text, Object& needer) {
    const auto name = expand(text, search_.tokens_of(needer.needer));
    FoundLibrary found;
    if (!name || (name->empty() && !text.empty()) || !fault_.empty()) {
      return;
    }
    if (Object* object = load(*name, needer, found)) {
      append(*object);
    } else if (found.answer == FoundLibrary::Answer::kFault) {
      stop_at(found);
    } else if (missing_.insert(*name).second) {
      Object& missing = add(*name, "", needer);
      missing.is_done = true;
      append(missing);
    }
  }

  // What a library stands for, as a filter, is searched before it.
  void load_before(const std::string& text, Object& filter, bool is_needed) {
    const auto name = expand(text, search_.tokens_of(filter.needer));
    FoundLibrary found;
    Object* object = name && fault_.empty() ? load(*name, filter, found) : nullptr;
    if (object == nullptr) {
      if (is_needed && fault_.empty()) {
        stop_at(found.answer == FoundLibrary::Answer::kFault
                    ? found
                    : FoundLibrary{FoundLibrary::Answer::kFault, text, "is not found", {}});
      }
      return;
    }
    const auto before = std::find(order_.begin(), order_.end(), &filter);
    const auto there = std::find(order_.begin(), order_.end(), object);
    if (there == order_.end()) {
      object->is_ordered = true;
      order_.insert(before, object);
    } else if (there > before) {
      std::rotate(before, there, there + 1);
    }
  }

  Object program_;
  Object loader_;
  LibrarySearch search_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<Object*> order_;
  std::unordered_map<std::string, Object*> by_name_;
  std::map<FileIdentity, Object*> by_file_;
  std::unordered_set<std::string> missing_;
  std::size_t needs_ = 0;
  std::size_t filters_ = 0;
  std::string fault_;
};

}  // namespace

LoaderVariables own_loader_variables() {
  return {variable("LD_LIBRARY_PATH"), variable("LD_PRELOAD")};
}

Listing list_libraries(const std::string& program, const ElfFile& file,
                       const LoaderVariables& variables) {
  const Loader loader = read_loader(file.interpreter);
  if (!loader.fault.empty()) {
    return {{}, {}, false, "its loader " + loader.path + ": " + loader.fault};
  }
  return Process(program, file, loader, variables).list(variables.preload);
}

Listing link_libraries(const std::string& program, const ElfFile& file) {
  Listing listing = list_libraries(program, file, own_loader_variables());
  if (listing.is_read) {
    find_missing(program, listing);
  }
  return listing;
}

std::string find_library_file(const std::string& name) {
  const ElfFile self = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr);
  const Loader loader = read_loader(self.interpreter);
  const Needer needer{&self, origin_of(real_path("/proc/self/exe")), nullptr};
  LibrarySearch search(loader, own_processor(), own_loader_variables().library_path, needer);
  const FoundLibrary found = search.find(name, needer);
  return found.answer == FoundLibrary::Answer::kYes ? found.path : "";
}

}  // namespace nestbind::cli::inspect
