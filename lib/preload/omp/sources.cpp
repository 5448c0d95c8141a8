// SPDX-License-Identifier: BSD-3-Clause
#include "omp/sources.hpp"

#include <dlfcn.h>
#include <errno.h>

#include <atomic>

#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/traced.hpp"
#include "support/text_writer.hpp"

namespace nestbind::omp {

namespace {

constinit std::atomic<bool> g_told{false};
constinit std::atomic<const Calls*> g_by_entries{nullptr};

// Recognises LLVM's and Intel's runtimes by a function, because their file's name may be libgomp.
bool is_llvm(const char* file) {
  void* library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    return dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != nullptr;
  }
  const bool is_it = dlsym(library, "__kmpc_fork_call") != nullptr;
  interpose::close_module(library);
  return is_it;
}

Verdict decide(Source source, const Facts& facts) {
  if (!facts.is_reachable) {
    return {false, Why::kUnreachable};
  }
  if (facts.is_told) {
    return {false, Why::kOtherTold};
  }
  if (source == Source::kPomp) {
    return {true, Why::kNoOtherSource};
  }
  if (facts.is_by_entries) {
    return {source == Source::kGomp, Why::kEntries};
  }
  return facts.is_gnu ? Verdict{source == Source::kGomp, Why::kOnlyEntries}
                      : Verdict{source == Source::kOmpt, Why::kOnlyTool};
}

}  // namespace

Verdict who_acts(Source source, const Facts& facts) {
  const Verdict verdict = decide(source, facts);
  process::trace(verdict.acts ? process::Traced::kActs : process::Traced::kStandsBack,
                 static_cast<int>(source), static_cast<int>(verdict.why));
  return verdict;
}

bool tell_by_entries(const Calls& runtime) {
  if (&known(runtime) != &runtime) {
    return false;
  }
  g_by_entries.store(&runtime, std::memory_order_release);
  return true;
}

const Calls* told_by_entries(const Calls& runtime) {
  const Calls* told = g_by_entries.load(std::memory_order_acquire);
  return told != nullptr && told->get_thread_num == runtime.get_thread_num ? told : nullptr;
}

bool llvm_is_wanted() { return options::settings().wants_llvm; }

void check_wanted(const Calls& runtime) {
  Dl_info info;
  if (!llvm_is_wanted() || g_told.load(std::memory_order_relaxed) ||
      dladdr(reinterpret_cast<void*>(runtime.get_thread_num), &info) == 0 ||
      is_llvm(info.dli_fname) || g_told.exchange(true)) {
    return;
  }
  process::say(process::Severity::kWarning,
               "nestbind run --runtime=llvm asks for LLVM's runtime, but %s runs on GCC's, %s",
               support::Shown(program_invocation_name).text, support::Shown(info.dli_fname).text);
}

}  // namespace nestbind::omp
