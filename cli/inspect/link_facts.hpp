// SPDX-License-Identifier: BSD-3-Clause
// What a program or library needs of others by symbol and version node, and what it gives them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace nestbind::cli::inspect {

// A version node that is needed of a library.
struct NeededNode {
  std::string library;  // as DT_NEEDED has it
  std::string node;
  bool is_weak = false;  // may be missing
};

struct VersionedSymbol {
  std::string name;
  std::string version;     // empty: none
  std::string library;     // that is to have it; of one that is needed with a version
  bool is_hidden = false;  // defined, but not the version for those who ask for none
};

struct LinkFacts {
  std::vector<NeededNode> needed_nodes;
  std::unordered_set<std::string> nodes;  // that it defines
  bool has_nodes = false;                 // false: it serves any node
  bool has_versions = false;              // of its symbols
  std::vector<VersionedSymbol> needed;    // undefined, but for weak ones
  std::vector<VersionedSymbol> defined;
  bool is_whole = true;  // false: there is more than any library has, and it was left out
};

// Of symbols only those that are OpenMP's functions by name. A file that cannot be read, or damaged
// parts of one, tell nothing.
LinkFacts read_link_facts(const std::string& path);
LinkFacts read_link_facts_bytes(std::string_view bytes);

}  // namespace nestbind::cli::inspect
