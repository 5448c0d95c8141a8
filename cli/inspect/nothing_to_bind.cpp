// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/nothing_to_bind.hpp"

#include <algorithm>

#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/openmp_symbols.hpp"
#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

bool is_known(const ElfFile& file) {
  return file.kind == ElfFile::Kind::kElf && file.is_all_needed && file.left_out.empty();
}

bool has_nothing(const ElfFile& file) {
  return is_known(file) && uses_gomp(file) == Uses::kNo && uses_kmpc(file) == Uses::kNo &&
         !file.does_import("omp_get_thread_num") && !starts_others(file);
}

bool has_nothing(const LoadedLibrary& library) {
  // Ours asks the loader for the planner.
  return file_name(library.path).starts_with("libnestbind") || has_nothing(library.file);
}

}  // namespace

bool has_nothing_to_bind(const ElfFile& program, const Listing& listing) {
  const auto& libraries = listing.libraries;
  return has_nothing(program) && listing.is_read &&
         std::all_of(libraries.begin(), libraries.end(),
                     [](const LoadedLibrary& library) { return has_nothing(library); });
}

bool has_nothing_to_bind(const std::string& path, const ElfFile& program) {
  return !program.interpreter.empty() && has_nothing(program) &&
         has_nothing_to_bind(program, list_libraries(path, program, own_loader_variables()));
}

}  // namespace nestbind::cli::inspect
