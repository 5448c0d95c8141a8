// SPDX-License-Identifier: BSD-3-Clause
// nestbind remembers a module's runtime as long as the module is loaded.
#include <dlfcn.h>
#include <link.h>

#include <catch2/catch.hpp>

#include "helpers/fresh_process.hpp"
#include "instrument/gomp/gomp_runtime.hpp"

using namespace nestbind;

namespace {

// No program uses this library. It belongs to the C library's package.
constexpr char kLibrary[] = "libBrokenLocale.so.1";

void* open() { return dlopen(kLibrary, RTLD_NOW); }

uintptr_t address_in(void* library) {
  link_map* map = nullptr;
  REQUIRE(dlinfo(library, RTLD_DI_LINKMAP, &map) == 0);
  return map->l_addr;
}

bool is_loaded() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD);
  if (library != nullptr) {
    dlclose(library);
  }
  return library != nullptr;
}

}  // namespace

TEST_CASE("a known module can be unloaded and is then forgotten") {
  fresh::process({}, [] {
    constexpr int kMoreThanFit = 200;
    const gomp::Runtime runtime{};
    for (int i = 0; i < kMoreThanFit; ++i) {
      void* library = open();
      REQUIRE(library != nullptr);
      const uintptr_t address = address_in(library);
      gomp::remember_module(reinterpret_cast<const void*>(address), &runtime);
      REQUIRE(gomp::known_runtime_of(address) == &runtime);
      dlclose(library);
      REQUIRE_FALSE(is_loaded());
      gomp::forget_unloaded();
      REQUIRE(gomp::known_runtime_of(address) == nullptr);
    }
  });
}

TEST_CASE("a module stays known as long as someone has it open") {
  fresh::process({}, [] {
    const gomp::Runtime runtime{};
    void* library = open();
    void* again = open();
    const uintptr_t address = address_in(library);
    gomp::remember_module(reinterpret_cast<const void*>(address), &runtime);
    dlclose(library);
    gomp::forget_unloaded();
    CHECK(gomp::known_runtime_of(address) == &runtime);
    dlclose(again);
  });
}
