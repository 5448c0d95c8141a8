// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "cli/inspect/loaded_libraries.hpp"

using namespace nestbind::cli::inspect;
using Names = std::vector<std::string>;

namespace {

ElfFile elf(Names exports) {
  ElfFile file;
  file.kind = ElfFile::Kind::kElf;
  file.exports = std::move(exports);
  return file;
}

const Names kGnu = {"omp_get_thread_num", "GOMP_parallel"};
const Names kLlvm = {"omp_get_thread_num", "GOMP_parallel", "__kmpc_fork_call", "ompt_start_tool"};

Listing listing(std::vector<LoadedLibrary> libraries) { return {std::move(libraries), ""}; }

const LoadedLibrary kOurs{"libgomp.so.1", "/own/libgomp.so.1", elf(kLlvm)};

std::string obstacle(const Listing& listing, const ElfFile& program = elf({})) {
  return judge_on_llvm("./program", program, listing, "/own").obstacle;
}

}  // namespace

TEST_CASE("A file that is not LLVM's runtime is rejected with a reason", "[llvm]") {
  CHECK(fault_of_llvm("/omp", elf(kLlvm)).empty());
  ElfFile unreadable;
  unreadable.fault = "No such file";
  CHECK(fault_of_llvm("/omp", unreadable) == "/omp: No such file");
  CHECK(fault_of_llvm("/omp", elf(kGnu)).find("is not LLVM's") != std::string::npos);
  CHECK(fault_of_llvm("/omp", elf({"omp_get_thread_num", "__kmpc_fork_call", "ompt_start_tool"}))
            .find("lacks the functions") != std::string::npos);
  CHECK(fault_of_llvm("/omp", elf({kLlvm.begin(), kLlvm.end() - 1})).find("without OMPT") !=
        std::string::npos);
}

TEST_CASE("A program that LLVM's runtime can serve has no obstacle", "[llvm]") {
  CHECK(obstacle(listing({kOurs})).empty());
  CHECK(judge_on_llvm("p", elf({}), listing({kOurs}), "/own").is_checked);
  CHECK_FALSE(judge_on_llvm("p", elf({}), listing({}), "/own").is_checked);
  Listing unread;
  unread.fault = "no";
  CHECK(obstacle(unread) == "its libraries cannot be listed: no");
}

TEST_CASE("The reason is given if GCC's runtime stays", "[llvm]") {
  const auto stays = [](const std::string& name, const ElfFile& program = elf({})) {
    return obstacle(listing({{name, "/usr/libgomp.so", elf(kGnu)}}), program);
  };
  CHECK(stays("/usr/libgomp.so").find("asked for by its path") != std::string::npos);
  CHECK(stays("libgomp-24e2ab19.so").find("a name of its own, libgomp-24e2ab19.so") !=
        std::string::npos);
  CHECK(stays("libgomp.so.1").find("before LD_LIBRARY_PATH") != std::string::npos);
  ElfFile program = elf({});
  program.has_rpath = true;
  CHECK(stays("libgomp.so.1", program).find("the DT_RPATH of ./program") != std::string::npos);
  LoadedLibrary other{"libx.so", "/x/libx.so", elf({})};
  other.file.has_rpath = true;
  CHECK(obstacle(listing({other, {"libgomp.so.1", "/usr/libgomp.so", elf(kGnu)}}))
            .find("the DT_RPATH of /x/libx.so") != std::string::npos);
}

TEST_CASE("Two LLVM runtimes in one program are an obstacle", "[llvm]") {
  CHECK(obstacle(listing({kOurs, {"libother.so", "/x/libother.so", elf(kLlvm)}})) ==
        "two of LLVM's runtimes would be loaded, /own/libgomp.so.1 and /x/libother.so; "
        "choose one by --runtime=llvm:FILE");
}

TEST_CASE("Functions that a program needs and LLVM's runtime lacks are an obstacle", "[llvm]") {
  const auto lacks = [](Names imports, Names weak = {}) {
    ElfFile program = elf({});
    program.imports = std::move(imports);
    program.weak = std::move(weak);
    return obstacle(listing({kOurs}), program);
  };
  CHECK(lacks({"omp_get_thread_num", "GOMP_parallel"}).empty());
  CHECK(lacks({"GOMP_target_ext"}) == "it lacks GOMP_target_ext, needed by ./program");
  CHECK(lacks({"omp_alloc"}, {"omp_alloc"}).empty());
  // `dlopen` is not an OpenMP function, and libnestbind.so has `omp_set_nesting_info`.
  CHECK(lacks({"dlopen", "omp_set_nesting_info"}).empty());
  Names many;
  for (char c = 'a'; c <= 'h'; ++c) {
    many.push_back(std::string("omp_") + c);
  }
  CHECK(lacks(many) ==
        "it lacks omp_a, omp_b, omp_c, omp_d, omp_e, omp_f and 2 more, needed by ./program");
}

TEST_CASE("Functions that a library needs and LLVM's runtime lacks are an obstacle", "[llvm]") {
  LoadedLibrary other{"libx.so", "/x/libx.so", elf({"omp_own"})};
  other.file.imports = {"omp_own", "omp_alloc"};
  ElfFile program = elf({});
  program.imports = {"omp_own"};
  CHECK(obstacle(listing({kOurs, other}), program) == "it lacks omp_alloc, needed by /x/libx.so");
}

TEST_CASE("Missing version nodes are an obstacle", "[llvm]") {
  Listing lacking = listing({kOurs});
  lacking.missing = {{"X_1", "/x/libx.so", "./program"}};
  CHECK(obstacle(lacking).empty());
  lacking.missing.push_back({"GOMP_4.0", kOurs.path, "./program"});
  CHECK(obstacle(lacking) == "it lacks version node GOMP_4.0, needed by ./program");
}
