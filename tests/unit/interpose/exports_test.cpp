// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <string.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "helpers/fresh_process.hpp"
#include "interpose/redirect.hpp"

using namespace nestbind;
using namespace nestbind::interpose;

extern "C" int exported_and_meant() { return 1; }
extern "C" int exported_and_meant_too() { return 2; }
extern "C" int exported_and_not_meant() { return 3; }

namespace {

bool is_meant(const char* name) { return strncmp(name, "exported_and_meant", 18) == 0; }
bool is_nobody(const char*) { return false; }

void* found(const char* name) { return dlsym(RTLD_DEFAULT, name); }

std::string protection(const void* address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char how[5] = {};
    if (sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, how) == 3 &&
        begin <= reinterpret_cast<unsigned long>(address) &&
        reinterpret_cast<unsigned long>(address) < end) {
      return how;
    }
  }
  return "";
}

const void* entry_of(const char* name) {
  Dl_info info;
  void* entry = nullptr;
  return dladdr1(found(name), &info, &entry, RTLD_DL_SYMENT) == 0 ? nullptr : entry;
}

}  // namespace

TEST_CASE("names are hidden from the loader and shown again") {
  fresh::process({}, [] {
    const void* entry = entry_of("exported_and_meant");
    REQUIRE(entry != nullptr);
    CHECK(protection(entry) == "r--p");
    hide_exports(is_meant);
    CHECK(found("exported_and_meant") == nullptr);
    CHECK(found("exported_and_meant_too") == nullptr);
    CHECK(found("exported_and_not_meant") == reinterpret_cast<void*>(&exported_and_not_meant));
    CHECK(protection(entry) == "r--p");
    CHECK(show_exports());
    CHECK(found("exported_and_meant") == reinterpret_cast<void*>(&exported_and_meant));
    CHECK(found("exported_and_meant_too") == reinterpret_cast<void*>(&exported_and_meant_too));
    CHECK(protection(entry) == "r--p");
    CHECK_FALSE(show_exports());
  });
}

TEST_CASE("nothing is hidden or shown if no name matches") {
  fresh::process({}, [] {
    CHECK_FALSE(show_exports());
    hide_exports(is_nobody);
    CHECK_FALSE(show_exports());
    CHECK(found("exported_and_meant") != nullptr);
  });
}

TEST_CASE("other modules that define a function are found and so are linked libraries") {
  fresh::process({}, [] {
    dlerror();
    CHECK(is_defined_elsewhere("gnu_get_libc_version"));
    CHECK_FALSE(is_defined_elsewhere("exported_and_not_meant"));
    CHECK_FALSE(is_defined_elsewhere("nobody_has_such_a_function"));
    CHECK(is_needed("libc.so"));
    CHECK_FALSE(is_needed("libnobody.so"));
    CHECK(dlerror() == nullptr);
  });
}
