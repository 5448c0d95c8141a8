// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/verdict.hpp"

#include <catch2/catch.hpp>
#include <iterator>

#include "cli/inspect/openmp_symbols.hpp"
#include "support/verdict_words.hpp"

using namespace nestbind::cli::inspect;
using Kind = Problem::Kind;
using Names = std::vector<std::string>;

namespace {

Facts facts(Names imports = {}, Names definitions = {}) {
  Facts facts;
  facts.file.kind = ElfFile::Kind::kElf;
  facts.file.interpreter = "/lib64/ld-linux-x86-64.so.2";
  facts.file.imports = std::move(imports);
  facts.file.definitions = std::move(definitions);
  return facts;
}

Facts exporting(Facts facts) {
  facts.file.exports.assign(std::begin(kAskedByPomp), std::end(kAskedByPomp));
  return facts;
}

LoadedLibrary library(const std::string& name, Names exports, Names imports = {}) {
  LoadedLibrary library{name, "/lib/" + name, {}};
  library.file.kind = ElfFile::Kind::kElf;
  library.file.exports = std::move(exports);
  library.file.imports = std::move(imports);
  return library;
}

LoadedLibrary gnu() { return library("libgomp.so.1", {"omp_get_thread_num", "GOMP_parallel"}); }
LoadedLibrary llvm(bool has_tools = true) {
  LoadedLibrary llvm =
      library("libomp.so.5", {"omp_get_thread_num", "GOMP_parallel", "__kmpc_fork_call"});
  if (has_tools) {
    llvm.file.exports.emplace_back("ompt_start_tool");
  }
  return llvm;
}

Facts thorough(Facts facts, std::vector<LoadedLibrary> libraries) {
  facts.depth = Depth::kThorough;
  facts.listing.libraries = std::move(libraries);
  return facts;
}

std::vector<Kind> kinds(const std::vector<Problem>& problems) {
  std::vector<Kind> kinds;
  for (const Problem& problem : problems) {
    kinds.push_back(problem.kind);
  }
  return kinds;
}

void check_start(const Facts& facts, std::vector<Kind> expected) {
  const Verdict verdict = judge(facts);
  CHECK(kinds(verdict.problems) == expected);
  CHECK(verdict.forks == Forks::kUnjudged);
  CHECK(verdict.hooks.empty());
}

void check_seen(const Facts& facts, const Names& hooks) {
  const Verdict verdict = judge(facts);
  CHECK(verdict.problems.empty());
  CHECK(verdict.forks == Forks::kSeen);
  CHECK(verdict.hooks == hooks);
}

void check_unheard(const Facts& facts, Kind kind) {
  const Verdict verdict = judge(facts);
  CHECK(kinds(verdict.problems) == std::vector{kind});
  CHECK(verdict.problems[0].is_of_forks());
  CHECK(verdict.forks == Forks::kUnseen);
  CHECK(verdict.hooks.empty());
}

Facts without_tools(Facts facts) {
  facts.tools_are_disabled = true;
  return facts;
}

ElfFile program_with(std::vector<std::string> imports, std::vector<std::string> exports = {}) {
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

TEST_CASE("A file that cannot be started with a preloaded library is reported", "[verdict]") {
  Facts some = facts({"GOMP_parallel"});
  some.file.kind = ElfFile::Kind::kUnreadable;
  some.file.fault = "Permission denied";
  check_start(some, {Kind::kUnreadable});
  CHECK(judge(some).problems[0].detail == "Permission denied");
  some.file.kind = ElfFile::Kind::kNotElf;
  check_start(some, {Kind::kNotElf});
  some.file.kind = ElfFile::Kind::kForeign;
  check_start(some, {Kind::kForeign});
  some = facts({"GOMP_parallel"});
  some.file.interpreter.clear();
  check_start(some, {Kind::kStatic});
  some.file.is_library = true;
  check_start(some, {Kind::kLibrary});
}

TEST_CASE("A program for musl cannot be bound", "[verdict]") {
  Facts some = facts({"GOMP_parallel"});
  some.file.interpreter = "/lib/ld-musl-x86_64.so.1";
  check_start(some, {Kind::kMusl});
  check_start(thorough(some, {}), {Kind::kMusl});
}

TEST_CASE("Privileges are reported first, and do not hide other facts", "[verdict]") {
  Facts some = facts({"GOMP_parallel"});
  some.privileges.set_id = true;
  some.privileges.concerns_caller = true;
  CHECK(kinds(judge(some).problems) == std::vector{Kind::kPrivileged});
  CHECK(judge(some).forks == Forks::kSeen);
  CHECK(judge(some).problems[0].detail == "a set-user-ID or set-group-ID program");
  some.privileges.concerns_caller = false;
  CHECK(kinds(judge(some).problems) == std::vector{Kind::kPrivilegedForOthers});
  some.file.interpreter.clear();
  check_start(some, {Kind::kPrivilegedForOthers, Kind::kStatic});
  some.privileges = {false, true, true};
  CHECK(judge(some).problems[0].detail == "a program with file capabilities");
}

TEST_CASE("A failed listing ends the judgement, but missing libraries do not", "[verdict]") {
  Facts some = thorough(facts({"GOMP_parallel"}), {gnu()});
  some.listing.fault = "cannot open";
  check_start(some, {Kind::kUnlisted});
  CHECK(judge(some).problems[0].detail == "cannot open");
  some = thorough(facts({"GOMP_parallel"}), {{"libgone.so", "", {}}, gnu(), {"libtoo.so", "", {}}});
  const Verdict verdict = judge(some);
  CHECK(kinds(verdict.problems) == std::vector{Kind::kMissing, Kind::kMissing});
  CHECK(verdict.problems[1].detail == "libtoo.so");
  CHECK(verdict.hooks == Names{"GOMP"});
}

TEST_CASE("A quick look judges by the functions that the program imports", "[verdict]") {
  check_seen(facts({"GOMP_parallel"}), {"GOMP"});
  check_seen(facts({"__kmpc_fork_call"}), {"OMPT"});
  check_seen(facts({"pomp_parallel_begin"}), {"POMP"});
  check_seen(facts({"POMP2_Parallel_begin"}), {"POMP2"});
  check_seen(exporting(facts({"pomp_parallel_begin"}, {"GOMP_parallel"})), {"POMP"});
  check_unheard(facts({}, {"GOMP_parallel"}), Kind::kContained);
  check_unheard(facts({"__kmpc_fork_call"}, {"GOMP_parallel"}), Kind::kContained);
  check_unheard(without_tools(facts({"__kmpc_fork_call"})), Kind::kNoTools);
  check_unheard(without_tools(facts({}, {"__kmpc_fork_call"})), Kind::kNoTools);
  check_seen(without_tools(facts({"__kmpc_fork_call", "GOMP_parallel"})), {"GOMP"});
  check_seen(without_tools(facts({"__kmpc_fork_call", "pomp_parallel_begin"})), {"POMP"});
  check_start(facts(), {});
}

TEST_CASE("A thorough look judges by the libraries that are loaded", "[verdict]") {
  check_seen(thorough(facts({"GOMP_parallel"}), {gnu()}), {"GOMP"});
  check_seen(thorough(facts({"GOMP_parallel"}), {llvm()}), {"OMPT"});
  check_seen(thorough(facts({"dlopen"}), {gnu()}), {"GOMP"});
  check_seen(thorough(facts(), {library("libf.so", {}, {"GOMP_parallel"}), gnu()}), {"GOMP"});
  check_seen(thorough(facts({"GOMP_parallel", "__kmpc_fork_call"}), {gnu(), llvm()}),
             {"GOMP", "OMPT"});
  check_seen(thorough(facts({"GOMP_parallel", "pomp_parallel_begin_"}), {gnu()}),
             {"GOMP", "POMP (stands back)"});
  check_seen(thorough(facts({}, {"__kmpc_fork_call"}), {}), {"OMPT"});
  check_unheard(without_tools(thorough(facts({"__kmpc_fork_call"}), {llvm()})), Kind::kNoTools);
  check_unheard(thorough(facts({"__kmpc_fork_call"}), {llvm(false)}), Kind::kUnseen);
  check_unheard(thorough(facts({}, {"GOMP_parallel"}), {}), Kind::kContained);
  check_unheard(thorough(facts(), {gnu()}), Kind::kUnseen);
  check_unheard(thorough(facts(), {}), Kind::kNoRuntime);
  CHECK(judge(thorough(facts(), {gnu()})).has_runtime);
  CHECK_FALSE(judge(thorough(facts(), {})).has_runtime);
}

TEST_CASE("A runtime in the program is reported as unseen, also next to another runtime",
          "[verdict]") {
  const Facts quick = facts({"__kmpc_fork_call"}, {"GOMP_parallel"});
  for (const Facts& some : {quick, thorough(quick, {llvm()}), thorough(quick, {gnu()}),
                            thorough(facts({"dlopen"}, {"GOMP_parallel"}), {gnu()})}) {
    const Verdict verdict = judge(some);
    CHECK(kinds(verdict.problems) == std::vector{Kind::kContained});
    CHECK(verdict.forks == Forks::kUnseen);
  }
  // An instrumented program reports its forks itself.
  CHECK(judge(thorough(quick, {llvm()})).hooks == Names{"OMPT"});
  const Facts instrumented = exporting(facts({"pomp_parallel_begin"}, {"GOMP_parallel"}));
  CHECK(judge(instrumented).forks == Forks::kSeen);
  CHECK(judge(thorough(instrumented, {llvm()})).forks == Forks::kSeen);
}

TEST_CASE("POMP must be able to call the runtime that the program contains", "[verdict]") {
  for (const char* begin : {"pomp_parallel_begin", "POMP2_Parallel_begin"}) {
    Facts some = facts({begin}, {"GOMP_parallel"});
    for (const Facts& one : {some, thorough(some, {}), thorough(some, {llvm()})}) {
      const Verdict verdict = judge(one);
      CHECK(kinds(verdict.problems) == std::vector{Kind::kUnreachable});
      CHECK(verdict.problems[0].detail == "omp_get_thread_num");
      CHECK(verdict.forks == Forks::kUnseen);
    }
    some = exporting(some);
    check_seen(some, {begin[4] == '2' ? "POMP2" : "POMP"});
    some.file.exports.erase(some.file.exports.begin() + 3);
    CHECK(judge(some).problems.at(0).detail == kAskedByPomp[3]);
  }
}

TEST_CASE("POMP alone reports the teams of a runtime that the program contains", "[verdict]") {
  const Facts some = exporting(facts({"pomp_parallel_begin", "dlopen"}, {"GOMP_parallel"}));
  check_seen(thorough(some, {library("libpomp.so.0", {}), gnu()}), {"POMP"});
  check_seen(thorough(some, {llvm()}), {"OMPT", "POMP"});
  check_seen(thorough(some, {library("libf.so", {}, {"GOMP_parallel"}), gnu()}), {"GOMP", "POMP"});
}

TEST_CASE("Without symbols, libgomp's texts show that the program contains a runtime",
          "[verdict]") {
  Facts some = facts({"pthread_create"});
  some.file.has_texts_of_gomp = true;
  check_unheard(some, Kind::kContained);
  check_unheard(thorough(some, {}), Kind::kContained);
  // A program that calls a shared libgomp may contain the same texts.
  some.file.imports.emplace_back("GOMP_parallel");
  check_seen(thorough(some, {gnu()}), {"GOMP"});
}

TEST_CASE("A program without a runtime may load one later", "[verdict]") {
  const auto forks = [](const Facts& facts) { return judge(facts).forks; };
  CHECK(forks(thorough(facts({"dlopen"}), {})) == Forks::kLoadedLater);
  const LoadedLibrary python = library("libpython.so", {}, {"dlopen"});
  Facts some = thorough(facts(), {python});
  CHECK(forks(some) == Forks::kUnseen);
  some.file.needed = {"libpython.so"};
  CHECK(forks(some) == Forks::kLoadedLater);
  some = thorough(facts(), {library("libc.so.6", {}, {"dlopen"})});
  some.file.needed = {"libc.so.6"};
  CHECK(forks(some) == Forks::kUnseen);
  some.is_interpreter = true;
  CHECK(forks(some) == Forks::kStartedLater);
  CHECK(judge(some).problems.empty());
}

TEST_CASE("Every problem has a text, which contains the detail if it is needed", "[verdict]") {
  for (int kind = 0; kind <= static_cast<int>(Kind::kNoRuntime); ++kind) {
    CHECK(!words_of({static_cast<Kind>(kind), "x"}).empty());
  }
  CHECK(words_of({Kind::kMissing, "libx.so"}) == "does not start: libx.so is not found");
  CHECK(words_of({Kind::kUnreadable, "gone"}) == "cannot be read: gone");
  CHECK(words_of({Kind::kStatic, "x"}) == nestbind::support::kStatic);
}

TEST_CASE("The facts of this program are read", "[verdict]") {
  const Facts self = facts_of("/proc/self/exe", Depth::kQuick);
  CHECK(self.file.kind == ElfFile::Kind::kElf);
  CHECK(judge(self).problems.empty());
  CHECK(judge(facts_of("/no/such", Depth::kThorough)).problems[0].kind == Kind::kUnreadable);
}

TEST_CASE("a program without a runtime that starts no program has nothing to bind") {
  CHECK(has_nothing(program_with({})));
  CHECK(has_nothing(program_with({}), {{"libm.so.6", "/lib/libm.so.6", program_with({})}}));
}

TEST_CASE("a program that has or may load a runtime may have teams to bind") {
  for (const char* name : {"GOMP_parallel", "__kmpc_fork_call", "omp_get_thread_num", "dlopen",
                           "dlmopen", "execve", "execvp", "posix_spawn", "system", "popen"}) {
    INFO(name);
    CHECK_FALSE(has_nothing(program_with({name})));
    CHECK_FALSE(has_nothing(program_with({}), {{"libx.so", "/lib/libx.so", program_with({name})}}));
  }
  CHECK_FALSE(has_nothing(program_with({}, {"GOMP_parallel"})));
  CHECK_FALSE(
      has_nothing(program_with({}), {{"libgomp.so.1", "/lib/libgomp.so.1",
                                      program_with({}, {"GOMP_parallel", "omp_get_thread_num"})}}));
}

TEST_CASE("the dlopen call in our own library does not count") {
  CHECK(has_nothing(program_with({}),
                    {{"libnestbind.so.0", "/lib/libnestbind.so.0", program_with({"dlopen"})}}));
}

TEST_CASE("nothing is claimed about a program that is not fully known") {
  CHECK_FALSE(has_nothing(program_with({}), {{"libgone.so", "", {}}}));
  Listing unread;
  unread.fault = "none";
  CHECK_FALSE(has_nothing_to_bind(program_with({}), unread));
}
