// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loop_symbols.hpp"

#include "cli/inspect/text.hpp"

namespace nestbind::cli::inspect {

namespace {

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool is_dispatched(std::string_view name) { return name.starts_with("__kmpc_dispatch_init_"); }

// A loop begins, alone or with its team.
bool is_gomp_loop(std::string_view name) {
  const bool begins = name.starts_with("GOMP_parallel_loop_") ||
                      (name.starts_with("GOMP_loop_") && name.ends_with("_start"));
  return begins && !has(name, "_ordered_") && !has(name, "_doacross_");
}
bool is_runtime(std::string_view name) { return is_gomp_loop(name) && has(name, "runtime"); }
bool is_dynamic(std::string_view name) {
  return is_gomp_loop(name) && (has(name, "dynamic") || has(name, "guided"));
}

}  // namespace

bool is_loop_symbol(std::string_view name) { return is_gomp_loop(name) || is_dispatched(name); }

Loops loops_of(const ElfFile& file) {
  Loops loops;
  for (const std::string& name : file.imports) {
    loops.has_runtime = loops.has_runtime || is_runtime(name);
    loops.has_dynamic = loops.has_dynamic || is_dynamic(name);
    loops.has_dispatched = loops.has_dispatched || is_dispatched(name);
  }
  return loops;
}

}  // namespace nestbind::cli::inspect
