// SPDX-License-Identifier: BSD-3-Clause
#include <gnu/libc-version.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "interpose/imports.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"

using namespace nestbind::interpose;

namespace {

int g_here = 1;
uintptr_t address(const void* of) { return reinterpret_cast<uintptr_t>(of); }

// A function of the C library that nobody but this program calls, and no sanitizer stands before.
const void* in_libc() { return reinterpret_cast<const void*>(&gnu_get_libc_version); }

}  // namespace

TEST_CASE("the module of an address") {
  const ModuleRange program = module_range(address(&g_here));
  const ModuleRange library = module_range(address(in_libc()));
  CHECK(program.has(address(&g_here)));
  CHECK(program.has(reinterpret_cast<uintptr_t>(&address)));
  CHECK_FALSE(program.has(address(in_libc())));
  CHECK(library.has(address(in_libc())));
  CHECK_FALSE(library.has(address(&g_here)));
  CHECK_FALSE(program.has(program.end));
  CHECK(program.has(program.begin));
}

TEST_CASE("an address in no module") {
  int on_the_stack = 0;
  const ModuleRange none = module_range(address(&on_the_stack));
  CHECK(none.begin == none.end);
  CHECK_FALSE(none.has(address(&on_the_stack)));
  CHECK(module_name(&on_the_stack) == nullptr);
  CHECK(open_module(&on_the_stack) == nullptr);
}

TEST_CASE("a module's file and handle") {
  CHECK(std::string(module_name(&g_here)).empty());
  const std::string name = module_name(in_libc());
  CHECK(name.find("libc") != std::string::npos);
  void* library = open_module(in_libc());
  REQUIRE(library != nullptr);
  CHECK(dlsym(library, "gnu_get_libc_version") == dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
  dlclose(library);
  CHECK(open_module(&g_here) != nullptr);
}

TEST_CASE("who imports what") {
  REQUIRE(in_libc() != nullptr);
  const ModuleRange program = module_range(address(&g_here));
  CHECK(is_imported("gnu_get_libc_version"));
  CHECK(is_imported("gnu_get_libc_vers"));  // a prefix
  CHECK_FALSE(is_imported("gnu_get_libc_version", program));
  CHECK_FALSE(is_imported("gnu_get_libc_version", {}, program));
  CHECK_FALSE(is_imported("nobody_has_such_a_function"));
}

TEST_CASE("the next function of a name") {
  CHECK(getsid(0) == syscall(SYS_getsid, 0));  // ours, of the helpers
  NextFunction none("nobody_has_such_a_function");
  CHECK(none.get() == nullptr);
  CHECK(none.known() == nullptr);
  NextFunction next("gnu_get_libc_version");
  CHECK(next.known() == nullptr);
  CHECK(next.get() == dlsym(RTLD_NEXT, "gnu_get_libc_version"));
  CHECK(next.known() == next.get());
}
