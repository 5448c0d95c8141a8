// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/openmp_symbols.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli::inspect;

namespace {

Loops importing(std::vector<std::string> names) {
  ElfFile file;
  file.imports = std::move(names);
  return loops_of(file);
}

}  // namespace

TEST_CASE("The kinds of loops follow from the imported functions", "[loops]") {
  const Loops none;
  const Loops runtime{.has_runtime = true};
  const Loops dynamic{.has_dynamic = true};
  CHECK(importing({}) == none);
  CHECK(importing({"GOMP_parallel", "GOMP_loop_end", "GOMP_loop_runtime_next"}) == none);
  CHECK(importing({"GOMP_loop_maybe_nonmonotonic_runtime_start"}) == runtime);
  CHECK(importing({"GOMP_loop_ull_runtime_start"}) == runtime);
  CHECK(importing({"GOMP_parallel_loop_nonmonotonic_runtime"}) == runtime);
  CHECK(importing({"GOMP_loop_dynamic_start"}) == dynamic);
  CHECK(importing({"GOMP_loop_ull_nonmonotonic_guided_start"}) == dynamic);
  CHECK(importing({"GOMP_parallel_loop_nonmonotonic_dynamic"}) == dynamic);
  CHECK(importing({"GOMP_parallel_loop_static"}) == none);
  CHECK(importing({"GOMP_loop_ordered_runtime_start"}) == none);
  CHECK(importing({"GOMP_loop_doacross_dynamic_start", "GOMP_loop_ull_ordered_guided_start"}) ==
        none);
  CHECK(importing({"__kmpc_dispatch_init_8u"}) == Loops{.has_dispatched = true});
  CHECK(importing({"__kmpc_for_static_init_4", "__kmpc_dispatch_next_4"}) == none);
}

TEST_CASE("The symbols of loops are among those that are read from a file", "[loops]") {
  CHECK(is_openmp_symbol("GOMP_loop_dynamic_start"));
  CHECK(is_openmp_symbol("__kmpc_dispatch_init_4"));
  CHECK_FALSE(is_openmp_symbol("__kmpc_for_static_init_4"));
}
