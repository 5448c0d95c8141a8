// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>

#include "helpers/fresh_process.hpp"
#include "interpose/dynamic.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "interpose/redirect.hpp"

using namespace nestbind::interpose;

namespace {

int g_here = 1;
uintptr_t address(const void* of) { return reinterpret_cast<uintptr_t>(of); }

// No library calls this function, and no sanitizer interposes it.
const void* in_libc() { return reinterpret_cast<const void*>(&gnu_get_libc_version); }

}  // namespace

TEST_CASE("the module of an address has a range") {
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

TEST_CASE("an address outside of all modules has no module") {
  int on_the_stack = 0;
  const ModuleRange none = module_range(address(&on_the_stack));
  CHECK(none.begin == none.end);
  CHECK_FALSE(none.has(address(&on_the_stack)));
  CHECK(module_name(&on_the_stack) == nullptr);
  CHECK(open_module(&on_the_stack) == nullptr);
}

TEST_CASE("a module has a file name and a handle") {
  CHECK(std::string(module_name(&g_here)).empty());
  const std::string name = module_name(in_libc());
  CHECK(name.find("libc") != std::string::npos);
  void* library = open_module(in_libc());
  REQUIRE(library != nullptr);
  CHECK(dlsym(library, "gnu_get_libc_version") == dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
  dlclose(library);
  CHECK(open_module(&g_here) != nullptr);
}

TEST_CASE("the modules that import a function are found") {
  REQUIRE(in_libc() != nullptr);
  const ModuleRange program = module_range(address(&g_here));
  CHECK(is_imported("gnu_get_libc_version"));
  CHECK(is_imported("gnu_get_libc_vers"));  // a prefix matches
  CHECK_FALSE(is_imported("gnu_get_libc_version", program));
  CHECK_FALSE(is_imported("gnu_get_libc_version", {}, program));
  CHECK_FALSE(is_imported("nobody_has_such_a_function"));
}

TEST_CASE("functions that a module binds or defines are found without the loader") {
  void* version = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  const char* (*volatile call)() = &gnu_get_libc_version;
  CHECK(call() == gnu_get_libc_version());
  CHECK(bound_function(&g_here, "gnu_get_libc_vers") == version);
  CHECK(bound_function(version, "gnu_get_libc_vers") == nullptr);  // defined, not bound
  CHECK(bound_function(&g_here, "nobody_has_such_a_function") == nullptr);
  CHECK(defined_function(version, "gnu_get_libc_version") == version);
  CHECK(defined_function(version, "gnu_get_libc_versio") == nullptr);
  CHECK(defined_function(version, "environ") == nullptr);  // not a function
  CHECK(defined_function(&g_here, "gnu_get_libc_version") == nullptr);
  int on_the_stack = 0;
  CHECK(bound_function(&on_the_stack, "") == nullptr);
  CHECK(defined_function(&on_the_stack, "gnu_get_libc_version") == nullptr);
}

namespace {

struct Visit {
  uintptr_t inside;
  std::function<void(const dl_phdr_info&)> action;
};
void visit(const void* inside, std::function<void(const dl_phdr_info&)> action) {
  Visit visit{address(inside), std::move(action)};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* memory) {
        const auto& wanted = *static_cast<Visit*>(memory);
        if (range_of(*info).has(wanted.inside)) {
          wanted.action(*info);
        }
        return 0;
      },
      &visit);
}

int own_version() { return 1; }

}  // namespace

TEST_CASE("the functions that a module defines are found") {
  visit(in_libc(), [](const dl_phdr_info& info) {
    const Dynamic library = read_dynamic(info);
    CHECK(does_define(library, "gnu_get_libc_version"));
    CHECK(does_define(library, "__libc_start_main"));
    CHECK_FALSE(does_define(library, "gnu_get_libc_versio"));
    CHECK_FALSE(does_define(library, "nobody_has_such_a_function"));
    int count = 0;
    int found = 0;
    each_definition(library, [&](const ElfW(Sym) & symbol) {
      ++count;
      bool is_there = false;
      each_definition_of(library, library.names + symbol.st_name, [&](const ElfW(Sym) & other) {
        is_there = is_there || &other == &symbol;
      });
      found += is_there ? 1 : 0;
    });
    CHECK(count > 1000);
    CHECK(found == count);
  });
}

TEST_CASE("a call that is already bound can be bound again") {
  const auto rebind = [](void* from, void* to) {
    visit(&g_here, [&](const dl_phdr_info& program) {
      rebind_words(program, read_dynamic(program), [&](const char* name, void* bound_to) -> void* {
        const bool is_it = std::string(name) == "gnu_get_libc_version";
        return is_it && bound_to == from ? to : nullptr;
      });
    });
  };
  void* before = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  const char* (*volatile call)() = &gnu_get_libc_version;
  const std::string version = call();
  void* ours = reinterpret_cast<void*>(&own_version);
  rebind(before, ours);
  const char* (*volatile again)() = &gnu_get_libc_version;
  CHECK((reinterpret_cast<void*>(again) == ours || reinterpret_cast<void*>(again) == before));
  CHECK(bound_function(&g_here, "gnu_get_libc_version") == nullptr);
  // Before a function's first call, its entry may contain the address of other code.
  void* other = static_cast<char*>(before) + 1;
  rebind(ours, other);
  CHECK(bound_function(&g_here, "gnu_get_libc_version") == nullptr);
  rebind(other, before);
  CHECK(bound_function(&g_here, "gnu_get_libc_version") == before);
  CHECK(version == gnu_get_libc_version());
}

TEST_CASE("memory gets its protection back") {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  {
    const Writable writable({address(memory) + page - 1, address(memory) + page + 1}, PROT_READ);
    REQUIRE(writable);
    static_cast<volatile char*>(memory)[0] = 1;
    static_cast<volatile char*>(memory)[page] = 1;
  }
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  CHECK(read(ends[0], memory, 1) == -1);
  close(ends[0]);
  close(ends[1]);
  munmap(memory, 2 * page);
  CHECK_FALSE(Writable({}, PROT_READ));
}

TEST_CASE("our own module is recognised") {
  CHECK(is_ours(&g_here));
  CHECK(is_ours(reinterpret_cast<const void*>(&own_version)));
  CHECK_FALSE(is_ours(in_libc()));
  CHECK_FALSE(is_ours(nullptr));
}

TEST_CASE("functions that the program contains are found") {
  CHECK(program_contains("main"));
  CHECK_FALSE(program_contains("mai"));
  CHECK_FALSE(program_contains("gnu_get_libc_version"));
}

TEST_CASE("calls of one module are redirected") {
  fresh::process({}, [] {
    const auto theirs = reinterpret_cast<pid_t (*)()>(dlsym(RTLD_DEFAULT, "getppid"));
    const auto ours = [] { return pid_t{-5}; };
    CHECK(getppid() == theirs());
    CHECK_FALSE(redirect(in_libc(), "getppid", reinterpret_cast<void*>(+ours)));
    CHECK(getppid() == theirs());
    REQUIRE(redirect(&g_here, "getppid", reinterpret_cast<void*>(+ours)));
    CHECK(getppid() == -5);
    CHECK(theirs() != -5);
    CHECK_FALSE(redirect(&g_here, "nobody_has_such_a_function", reinterpret_cast<void*>(+ours)));
  });
}

TEST_CASE("the next definition of a function is found") {
  CHECK(getsid(0) == syscall(SYS_getsid, 0));  // our own function, in the helpers
  NextFunction none("nobody_has_such_a_function");
  CHECK(none.get() == nullptr);
  CHECK(none.known() == nullptr);
  NextFunction next("gnu_get_libc_version");
  CHECK(next.known() == nullptr);
  CHECK(next.get() == dlsym(RTLD_NEXT, "gnu_get_libc_version"));
  CHECK(next.known() == next.get());
}
