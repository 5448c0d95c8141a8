// SPDX-License-Identifier: BSD-3-Clause
// Prints the libraries that cli/inspect finds. Tests compare these libraries with the loader's
// libraries. For each program it prints a line with the name, then a line for each library: "\tNAME
// => FILE" or "\tNAME => not found". If the first argument is --missing, it also prints the OpenMP
// symbols that no library of the program has. NAME=VALUE before the programs is an environment
// variable for the programs. Do not set this variable for list_libraries itself, because the loader
// would read it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"

using namespace nestbind::cli::inspect;

namespace {

void print(const Listing& listing) {
  for (const LoadedLibrary& library : listing.libraries) {
    std::printf("\t%s => %s\n", library.name.c_str(),
                library.path.empty() ? "not found" : library.path.c_str());
  }
  if (!listing.fault.empty()) {
    std::printf("fault %s\n", listing.fault.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_linked = argc > 1 && std::strcmp(argv[1], "--missing") == 0;
  int i = is_linked ? 2 : 1;
  for (; i < argc && argv[i][0] != '/' && std::strchr(argv[i], '=') != nullptr; ++i) {
    putenv(argv[i]);
  }
  for (; i < argc; ++i) {
    const ElfFile file = read_elf(argv[i], SymbolTables::kDynamic, is_openmp_symbol);
    const Listing listing = list_libraries(argv[i], file, own_loader_variables());
    std::printf("%s\n", argv[i]);
    print(listing);
    for (const Missing& missing :
         is_linked ? find_missing(argv[i], file, listing) : std::vector<Missing>()) {
      std::printf("missing %s %s %s\n", missing.library.empty() ? "function" : "node",
                  missing.name.c_str(), missing.needed_by.c_str());
    }
  }
  return 0;
}
