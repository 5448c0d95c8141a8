// SPDX-License-Identifier: BSD-3-Clause
#include "omp/unseen.hpp"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <initializer_list>

#include "interpose/module.hpp"
#include "interpose/redirect.hpp"
#include "omp/sources.hpp"
#include "process/message.hpp"
#include "support/glibc.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::omp {

namespace {

constexpr char kFork[] = "GOMP_parallel";
constexpr char kLlvmFork[] = "__kmpc_fork_call";
constexpr char kLlvmLoop[] = "__kmpc_dispatch_init_4";
constexpr Unseen kLateForGnu = {"loads GCC's OpenMP runtime (libgomp) before libnestbind",
                                support::kLoadFirst, support::kLoadFirst};
constexpr Unseen kLateForLlvm = {"loads an OpenMP runtime before libnestbind", support::kLoadFirst,
                                 support::kLoadFirst};
constexpr Unseen kLateForC = {"loads the C library before libnestbind", support::kLoadFirst,
                              support::kLoadFirst};
constexpr Unseen kContained = {support::kContainsRuntime,
                               "link libgomp.so, or instrument the program (nestbind-opari(7))",
                               "link libgomp.so", true};
constexpr Unseen kNoTools = {support::kStartsNoTool, "", ""};
constexpr Unseen kNoInterface = {support::kNoToolInterface, "", ""};

// An instrumented program reports its forks itself.
bool is_instrumented() {
  for (const char* name : {"nestbind_pomp_", "pomp_parallel_begin", "POMP2_Parallel_begin"}) {
    if (interpose::is_imported(name)) {
      return true;
    }
  }
  return false;
}

const void* program_code() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives integers
  return reinterpret_cast<const void*>(getauxval(AT_ENTRY));
}

bool are_in_one_module(const void* one, const void* other) {
  return interpose::module_range(reinterpret_cast<uintptr_t>(one))
      .has(reinterpret_cast<uintptr_t>(other));
}

bool is_in_program(const void* address) {
  return address != nullptr && !interpose::is_ours(address) &&
         are_in_one_module(program_code(), address);
}

// Returns the first function of this name in load order. Returns null if this function is ours or
// the program's.
const void* elsewhere(const char* name) {
  const void* first = dlsym(RTLD_DEFAULT, name);
  return interpose::is_ours(first) || is_in_program(first) ? nullptr : first;
}

// Ignores a tool that hooks GCC's entries.
bool gnu_is_before_us() {
  const void* fork = elsewhere(kFork);
  return fork != nullptr && are_in_one_module(fork, dlsym(RTLD_DEFAULT, "omp_get_thread_num")) &&
         !are_in_one_module(fork, dlsym(RTLD_DEFAULT, kLlvmFork));
}

bool c_library_is_before_us() {
  const void* first = elsewhere("sched_setaffinity");
  return first != nullptr &&
         are_in_one_module(first, reinterpret_cast<const void*>(&gnu_get_libc_version));
}

const Unseen* unseen_llvm() {
  void* fork = dlsym(RTLD_DEFAULT, kLlvmFork);
  if (fork == nullptr || llvm_is_wanted()) {
    return nullptr;
  }
  if (!support::starts_tools(getenv("OMP_TOOL"))) {
    return &kNoTools;
  }
  void* library = is_in_program(fork) ? nullptr : interpose::open_module(fork);
  const bool lacks_interface = library != nullptr && dlsym(library, "ompt_start_tool") == nullptr;
  if (library != nullptr) {
    interpose::close_module(library);
  }
  return lacks_interface ? &kNoInterface : nullptr;
}

// True if the program, which may be stripped, seems to contain libgomp.a. Hardly any other code
// creates threads with an affinity. Only libgomp reads GOMP_SPINCOUNT.
bool has_gomp_inside() {
  return dlsym(RTLD_DEFAULT, "omp_get_thread_num") == nullptr &&
         interpose::is_imported_by_program("pthread_attr_setaffinity_np") &&
         interpose::program_has_text("GOMP_SPINCOUNT");
}

// A program that is linked with libgomp.a and with us exports GOMP_parallel.
const Unseen* unseen_but_instrumented(bool is_contained) {
  const bool is_gnu = is_contained || is_in_program(dlsym(RTLD_DEFAULT, kFork));
  const Unseen* unseen = is_gnu ? &kContained : unseen_llvm();
  return unseen != nullptr && is_instrumented() ? nullptr : unseen;
}

bool begins_with(const char* name, const char* prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

// ompt_start_tool is not hidden: LLVM's runtime searches for it once, when it starts.
bool is_of_runtime(const char* name) {
  return begins_with(name, "GOMP_") || begins_with(name, "__kmpc_") ||
         (begins_with(name, "omp_") && strstr(name, "nesting_info") == nullptr);
}

}  // namespace

const Unseen* late(Purpose purpose) {
  if (interpose::is_ours(program_code())) {
    return nullptr;  // the loader finds functions of the program first
  }
  if (gnu_is_before_us()) {
    return &kLateForGnu;
  }
  if (purpose == Purpose::kTeams) {
    return c_library_is_before_us() ? &kLateForC : nullptr;
  }
  return elsewhere(kLlvmLoop) != nullptr ? &kLateForLlvm : nullptr;
}

bool has_runtime_at_start() {
  return dlsym(RTLD_DEFAULT, "omp_get_thread_num") != nullptr || interpose::is_imported(kFork) ||
         interpose::program_contains(kFork) || interpose::program_contains(kLlvmFork);
}

const Unseen* unseen_at_once() { return unseen_but_instrumented(has_gomp_inside()); }

const Unseen* unseen_at_start() {
  return unseen_but_instrumented(has_gomp_inside() || interpose::program_contains(kFork));
}

void hide_entries() {
  const char* self = interpose::module_name(__ehdr_start);
  const bool is_library = self != nullptr && self[0] != '\0';
  // A program that is linked with nestbind may load libraries first, and set a specification later.
  if (is_library && !interpose::is_defined_elsewhere(kFork) &&
      !interpose::is_defined_elsewhere(kLlvmFork) && !interpose::is_needed("libnestbind.so")) {
    interpose::hide_exports(is_of_runtime);
  }
}

void show_entries() {
  const auto own = interpose::module_range(reinterpret_cast<uintptr_t>(__ehdr_start));
  if (interpose::show_exports() && interpose::is_imported(kFork, own)) {
    process::say(
        process::Severity::kWarning,
        "libraries that were loaded with GCC's OpenMP runtime before the first specification are "
        "not bound; set OMP_NESTING_TEAM_SIZE=off before the program starts");
  }
}

}  // namespace nestbind::omp
