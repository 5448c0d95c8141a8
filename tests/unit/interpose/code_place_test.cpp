// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/code_place.hpp"

#include <errno.h>
#include <gnu/libc-version.h>

#include <catch2/catch.hpp>
#include <string>

using namespace nestbind::interpose;

namespace {

__attribute__((noinline)) int only_here(int number) { return number * 3; }

uintptr_t address_of(int (*function)(int)) { return reinterpret_cast<uintptr_t>(function); }

}  // namespace

TEST_CASE("a static function of the program is found in the program's file") {
  CodePlace place;
  errno = 7;
  find_code(address_of(only_here) + 1, place);
  CHECK(errno == 7);
  CHECK_THAT(place.function, Catch::Contains("only_here"));
  CHECK(place.in_function == 1);
  CHECK_THAT(place.module, Catch::EndsWith("/unit_interpose"));
  CHECK(std::string(place.build_id) == "0123456789abcdef");  // set at the link
  CodePlace begin;
  find_code(address_of(only_here), begin);
  CHECK(begin.in_function == 0);
  CHECK(begin.in_module + 1 == place.in_module);
}

TEST_CASE("a function of a stripped library is found by its export") {
  CodePlace place;
  find_code(reinterpret_cast<uintptr_t>(&gnu_get_libc_version), place);
  CHECK(std::string(place.function) == "gnu_get_libc_version");
  CHECK_THAT(place.module, Catch::Contains("libc"));
}

TEST_CASE("an address outside of all modules has no names") {
  int on_the_stack = 0;
  CodePlace place;
  find_code(reinterpret_cast<uintptr_t>(&on_the_stack), place);
  CHECK(std::string(place.module).empty());
  CHECK(std::string(place.build_id).empty());
  CHECK(std::string(place.function).empty());
  CHECK(place.in_module == reinterpret_cast<uintptr_t>(&on_the_stack));
}
