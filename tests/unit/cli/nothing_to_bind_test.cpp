// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/nothing_to_bind.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::cli::inspect;

namespace {

ElfFile file(std::vector<std::string> imports, std::vector<std::string> exports = {}) {
  ElfFile file;
  file.kind = ElfFile::Kind::kElf;
  file.interpreter = "/lib64/ld-linux-x86-64.so.2";
  file.imports = std::move(imports);
  file.exports = std::move(exports);
  return file;
}

bool has_nothing(const ElfFile& program, std::vector<LoadedLibrary> libraries = {}) {
  Listing listing;
  listing.libraries = std::move(libraries);
  return has_nothing_to_bind(program, listing);
}

}  // namespace

TEST_CASE("a program without a runtime that starts nothing") {
  CHECK(has_nothing(file({})));
  CHECK(has_nothing(file({}), {{"libm.so.6", "/lib/libm.so.6", file({})}}));
}

TEST_CASE("a program that has a runtime or may get one") {
  for (const char* name : {"GOMP_parallel", "__kmpc_fork_call", "omp_get_thread_num", "dlopen",
                           "dlmopen", "execve", "execvp", "posix_spawn", "system", "popen"}) {
    INFO(name);
    CHECK_FALSE(has_nothing(file({name})));
    CHECK_FALSE(has_nothing(file({}), {{"libx.so", "/lib/libx.so", file({name})}}));
  }
  CHECK_FALSE(has_nothing(file({}, {"GOMP_parallel"})));
  CHECK_FALSE(has_nothing(file({}), {{"libgomp.so.1", "/lib/libgomp.so.1",
                                      file({}, {"GOMP_parallel", "omp_get_thread_num"})}}));
}

TEST_CASE("our own library asks the loader for its planner only") {
  CHECK(has_nothing(file({}), {{"libnestbind.so.0", "/lib/libnestbind.so.0", file({"dlopen"})}}));
}

TEST_CASE("of what is not known nothing is said") {
  ElfFile cut = file({});
  cut.is_all_needed = false;
  CHECK_FALSE(has_nothing(cut));
  CHECK_FALSE(has_nothing(file({}), {{"libgone.so", "", {}}}));
  Listing unread;
  unread.is_read = false;
  CHECK_FALSE(has_nothing_to_bind(file({}), unread));
}
