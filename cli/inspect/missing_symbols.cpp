// SPDX-License-Identifier: BSD-3-Clause
// After match_symbol() of glibc's elf/dl-version.c, and check_match() of elf/dl-lookup.c.
#include "cli/inspect/missing_symbols.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/inspect/link_facts.hpp"

namespace nestbind::cli::inspect {

namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

// All definitions of one name: how far one has to look for each of them.
struct Definitions {
  std::size_t unversioned = kNowhere;  // serves everybody
  std::size_t by_default = kNowhere;   // serves who asks for no version
  std::unordered_map<std::string, std::size_t> versions;

  void add(const VersionedSymbol& symbol, bool has_versions, std::size_t place) {
    if (!has_versions || (symbol.version.empty() && !symbol.is_hidden)) {
      unversioned = std::min(unversioned, place);
    }
    if (!symbol.is_hidden || symbol.version.empty()) {
      by_default = std::min(by_default, place);
    }
    versions.emplace(symbol.version, place);
  }
  std::size_t place_of(const VersionedSymbol& need) const {
    if (need.version.empty()) {
      return std::min(unversioned, by_default);
    }
    const auto found = versions.find(need.version);
    return std::min(unversioned, found == versions.end() ? kNowhere : found->second);
  }
};

// A library that version nodes are needed of.
struct Giver {
  std::string path;
  bool has_nodes = false;
  std::unordered_set<std::string> nodes;
};

class Scope {
 public:
  explicit Scope(Listing& listing) : listing_(listing) {}

  // In the loader's order; library: null for the program.
  void add(const std::string& path, const LoadedLibrary* library) {
    LinkFacts facts = read(path);
    const std::size_t place = givers_.size();
    for (const VersionedSymbol& symbol : facts.defined) {
      definitions_[symbol.name].add(symbol, facts.has_versions, place);
    }
    givers_.push_back({path, facts.has_nodes, std::move(facts.nodes)});
    if (library == nullptr) {
      return;
    }
    by_name_.emplace(library->name, place);
    by_name_.emplace(library->file.soname, place);
    for (const std::string& name : library->other_names) {
      by_name_.emplace(name, place);
    }
  }

  void find_missing_of(const std::string& path) {
    const LinkFacts facts = read(path);
    for (const NeededNode& need : facts.needed_nodes) {
      const auto found = by_name_.find(need.library);
      const Giver* giver = found == by_name_.end() ? nullptr : &givers_[found->second];
      if (giver != nullptr && giver->has_nodes && !need.is_weak &&
          !giver->nodes.contains(need.node)) {
        add_missing({"", need.node, path, giver->path});
      }
    }
    for (const VersionedSymbol& need : facts.needed) {
      const auto found = definitions_.find(need.name);
      const std::size_t place =
          found == definitions_.end() ? kNowhere : found->second.place_of(need);
      // At the library that is to have it, the loader looks no further.
      const auto last = by_name_.find(need.library);
      const bool is_behind = last != by_name_.end() && place > last->second;
      if (place == kNowhere || (!need.version.empty() && is_behind)) {
        add_missing({need.name, need.version, path, ""});
      }
    }
  }

 private:
  LinkFacts read(const std::string& path) {
    LinkFacts facts = read_link_facts(path);
    if (!facts.is_whole) {
      listing_.is_read = false;
      listing_.fault = path + " has more symbols or version nodes than are read";
    }
    return facts;
  }

  // Enough to be told of; a hostile program can lack any number.
  void add_missing(Missing missing) {
    constexpr std::size_t kMost = 4096;
    if (listing_.missing.size() < kMost) {
      listing_.missing.push_back(std::move(missing));
    }
  }

  Listing& listing_;
  std::unordered_map<std::string, Definitions> definitions_;
  std::vector<Giver> givers_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace

void find_missing(const std::string& program, Listing& listing) {
  Scope scope(listing);
  scope.add(program, nullptr);
  for (const LoadedLibrary& library : listing.libraries) {
    if (!library.path.empty()) {
      scope.add(library.path, &library);
    }
  }
  scope.find_missing_of(program);
  for (const LoadedLibrary& library : listing.libraries) {
    if (!library.path.empty()) {
      scope.find_missing_of(library.path);
    }
  }
}

}  // namespace nestbind::cli::inspect
