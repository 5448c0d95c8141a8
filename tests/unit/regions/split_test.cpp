// SPDX-License-Identifier: BSD-3-Clause
// Tests how combined directives are split, and which directive gets each clause.
#include <catch2/catch.hpp>

#include "instrument/opari/regions/clauses.hpp"

using namespace nestbind::opari;

namespace {

Parts split_of(const char* text, Language language = Language::kC) {
  const auto directive = read_parallel(text, language);
  REQUIRE(directive.has_value());
  return split(*directive, "condition");
}

}  // namespace

TEST_CASE("only directives that begin with parallel are regions") {
  CHECK_FALSE(read_parallel("for", Language::kC).has_value());
  CHECK_FALSE(read_parallel("target parallel", Language::kC).has_value());
  CHECK_FALSE(read_parallel("parallelism", Language::kC).has_value());
  CHECK(read_parallel("parallel", Language::kC)->inner.empty());
  CHECK(read_parallel("parallel private(i)", Language::kFree)->inner.empty());
  CHECK(read_parallel("PARALLELDO SCHEDULE(STATIC)", Language::kFixed)->inner == "do");
  CHECK(read_parallel("parallel default(none)", Language::kFree)->inner.empty());
  CHECK(read_parallel("parallel master taskloop simd", Language::kC)->inner ==
        "master taskloop simd");
}

TEST_CASE("the clauses if and num_threads are removed") {
  const Parts parts =
      split_of("parallel if(parallel : f(\")\", ')')) num_threads ( n ), private(i) default(none)");
  CHECK(parts.condition == "f(\")\", ')')");
  CHECK(parts.threads == "n");
  CHECK(parts.outer == "private(i) default(none)");
  CHECK(parts.inner.empty());
  CHECK(parts.barrier);
}

TEST_CASE("a loop gets the clauses that concern its iterations") {
  const Parts parts = split_of(
      "parallel for schedule(static, 2) collapse(2) lastprivate(a, b) firstprivate(a, c) "
      "reduction(+ : s) "
      "default(none) shared(x) linear(l : 2)");
  CHECK(parts.inner ==
        "for schedule(static, 2) collapse(2) lastprivate(a, b) firstprivate(a) linear(l : 2)");
  CHECK(parts.outer == "firstprivate(c) reduction(+ : s) default(none) shared(x) shared(a,b,l)");
  CHECK_FALSE(parts.barrier);
}

TEST_CASE("clauses of simd and tasks stay with them") {
  const Parts simd =
      split_of("parallel for simd private(p) reduction(+ : s[0:n]) if(c) default(none)");
  CHECK(simd.inner == "for simd private(p) reduction(+ : s[0:n]) if(condition)");
  CHECK(simd.outer == "private(p) default(none) shared(s)");
  CHECK(simd.condition == "c");
  CHECK(simd.condition_inside);
  const Parts tasks =
      split_of("parallel masked taskloop firstprivate(a) shared(b) grainsize(4) filter(1)");
  CHECK(tasks.inner == "masked taskloop firstprivate(a) shared(b) grainsize(4) filter(1)");
  CHECK(tasks.outer == "firstprivate(a) shared(b)");
  CHECK(tasks.barrier);
}

TEST_CASE("an allocate clause is put where its variable is") {
  const Parts parts =
      split_of("parallel for allocate(omp_default_mem_alloc : a, b) private(a) lastprivate(b)");
  CHECK(parts.outer == "private(a) allocate(omp_default_mem_alloc :a)");
  CHECK(parts.inner == "for lastprivate(b) allocate(omp_default_mem_alloc :b)");
}

TEST_CASE("reduction operators may have C++ names") {
  const Parts parts =
      split_of("parallel loop reduction(ns::op : ns::x) default(none)", Language::kCxx);
  CHECK(parts.inner == "loop reduction(ns::op : ns::x)");
  CHECK(parts.outer == "default(none) shared(ns::x)");
}
