// SPDX-License-Identifier: BSD-3-Clause
// A runtime with OMPT finds this tool by the name ompt_start_tool. The tool always starts, because
// it could not start later. Without a specification and a schedule it registers no callback.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "instrument/ompt/ompt_runtimes.hpp"
#include "instrument/ompt/tool_parts.hpp"
#include "interpose/module.hpp"
#include "observe/observer.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/sources.hpp"
#include "placement/placement_start.hpp"
#include "placement/seen_places.hpp"
#include "process/armed.hpp"
#include "sizes/told_sizes.hpp"
#include "support/errno_kept.hpp"
#include "team/fork.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::ompt {

namespace {

// Hides OMP_DISPLAY_AFFINITY while the runtime reads its variables, before it calls initialize.
// Otherwise the runtime would print the lines at a fork, before it calls a tool. A tool cannot stop
// these lines.
constexpr char kName[] = "OMP_DISPLAY_AFFINITY=";
constinit char g_hidden[] = "OMP_DISPLAY_AFFINITY=FALSE";
constinit std::atomic<char*> g_shown{nullptr};

// Returns the entry for which `is_it` is true, or null. Other threads see the old or the new entry.
template <typename IsIt>
char** entry(IsIt is_it) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (is_it(*variable)) {
      return variable;
    }
  }
  return nullptr;
}

// Whether we can find the runtime's functions. In most static runtimes we cannot find them.
bool is_reachable(const void* code) {
  void* module = interpose::open_module(code);
  if (module == nullptr) {
    return false;
  }
  const bool is_so = dlsym(module, "omp_get_level") != nullptr;
  interpose::close_module(module);
  return is_so;
}

// Called before a runtime reads its variables. Hides OMP_DISPLAY_AFFINITY if we can reach the
// runtime's functions. We then print the lines ourselves. caller: an address in the runtime.
void hide_display(const void* caller) {
  if (!omp::displays_affinity(false) || !is_reachable(caller)) {
    return;
  }
  char** const variable =
      entry([](const char* text) { return std::strncmp(text, kName, sizeof kName - 1) == 0; });
  char* shown = nullptr;
  if (variable != nullptr && g_shown.compare_exchange_strong(shown, *variable)) {
    __atomic_store_n(variable, &g_hidden[0], __ATOMIC_RELEASE);
  }
}

// Called after the runtime has read its variables. Returns false if the variable was not hidden.
bool show_display_again() {
  char* const shown = g_shown.exchange(nullptr);
  if (shown == nullptr) {
    return false;
  }
  char** const variable = entry([](const char* text) { return text == g_hidden; });
  if (variable != nullptr) {
    __atomic_store_n(variable, shown, __ATOMIC_RELEASE);
  }
  return true;
}

struct Question {
  unsigned omp_version;
  const char* runtime_version;
  StartTool ours;
};

StartToolResult* ask(void* symbol, const Question& question) {
  const auto start = reinterpret_cast<StartTool>(symbol);
  if (start == nullptr || start == question.ours) {
    return nullptr;
  }
  return start(question.omp_version, question.runtime_version);
}

// Only the first `length` characters of `name` count.
StartToolResult* ask_library(const char* name, std::size_t length, const Question& question) {
  char file[PATH_MAX];
  if (length == 0 || length >= sizeof file) {
    return nullptr;
  }
  std::memcpy(file, name, length);
  file[length] = '\0';
  void* library = dlopen(file, RTLD_LAZY);
  if (library == nullptr) {
    return nullptr;
  }
  StartToolResult* result = ask(dlsym(library, "ompt_start_tool"), question);
  if (result == nullptr) {
    interpose::close_module(library);
  }
  return result;
}

StartToolResult* ask_listed(const char* list, const Question& question) {
  while (list != nullptr && *list != '\0') {
    const std::size_t length = std::strcspn(list, ":");
    if (StartToolResult* result = ask_library(list, length, question)) {
      return result;
    }
    list += length + (list[length] == ':' ? 1 : 0);
  }
  return nullptr;
}

// LLVM's runtime finds Archer by its search path. We search in the runtime's folder, too.
StartToolResult* ask_archer(const void* caller, const Question& question) {
  static constexpr char kArcher[] = "libarcher.so";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") == nullptr) {
    return nullptr;
  }
  if (StartToolResult* result = ask_library(kArcher, sizeof kArcher - 1, question)) {
    return result;
  }
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) {
    return nullptr;
  }
  const char* slash = std::strrchr(info.dli_fname, '/');
  const std::size_t folder = slash != nullptr ? slash - info.dli_fname + 1 : 0;
  char file[PATH_MAX];
  if (folder == 0 || folder + sizeof kArcher > sizeof file) {
    return nullptr;
  }
  std::memcpy(file, info.dli_fname, folder);
  std::memcpy(file + folder, kArcher, sizeof kArcher);
  return ask_library(file, std::strlen(file), question);
}

// First asks the next tool in the process, then the libraries of OMP_TOOL_LIBRARIES. Under
// ThreadSanitizer, asks Archer last. Skips `ours`. `caller` is an address in the runtime. Returns
// the answer of the first tool that wants to be started, or null.
StartToolResult* ask_next_tool(unsigned omp_version, const char* runtime_version,
                               const void* caller, StartTool ours) {
  const Question question{omp_version, runtime_version, ours};
  // Another runtime may define the next ompt_start_tool. That runtime then asks further tools.
  if (StartToolResult* result = ask(dlsym(RTLD_NEXT, "ompt_start_tool"), question)) {
    return result;
  }
  if (StartToolResult* result = ask_listed(std::getenv("OMP_TOOL_LIBRARIES"), question)) {
    return result;
  }
  return ask_archer(caller, question);
}

constinit std::atomic<int> g_asked{0};
constinit std::atomic<bool> g_waits_for_armed{false};

void tell_lines(int runtime) {
  if (omp::displays_affinity(false) && !omp::lines_are_taken(g_runtimes[runtime].calls)) {
    omp::tell_false_lines();
  }
}

// The runtime or the specification may come first. Each is published before it looks for the other.
// So the later one registers the callbacks.
template <typename More>
void register_started(More more) {
  for (int r = 0; r < kMaxRuntimes; ++r) {
    if (g_runtimes[r].started.load()) {
      register_alone(r);
      more(r);
    }
  }
}

constinit observe::Observer g_when_armed{[] { register_started(tell_lines); }};

constinit worksharing::Listener g_when_wanted{[](bool is_wanted) {
  if (is_wanted) {
    register_started([](int) {});
  }
}};

template <int R>
int initialize(Lookup lookup, int device, Data*) noexcept {
  const support::ErrnoKept errno_kept;
  Runtime& self = g_runtimes[R];
  self.lookup = lookup;
  self.set_callback = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  const bool has_no_lines = show_display_again();
  const bool is_reachable = self.set_callback != nullptr && find_omp_calls(lookup, self.calls);
  const omp::Calls* entries = is_reachable ? omp::told_by_entries(self.calls) : nullptr;
  const omp::Verdict verdict = omp::who_acts(
      omp::Source::kOmpt, {.is_reachable = is_reachable, .is_by_entries = entries != nullptr});
  if (is_reachable) {
    // The runtime calls this before any parallel region, on the initial thread, under its lock. A
    // call that asks for numbers of processors or threads would never return.
    placement::runtime_started(entries != nullptr ? *entries : self.calls);
    if (has_no_lines) {
      omp::take_lines(self.calls);
    }
  }
  if (!verdict.acts) {
    return self.next != nullptr ? self.next->initialize(lookup, device, &self.next->tool_data) : 0;
  }
  if (self.next != nullptr && start_second(R, device)) {
    return 1;
  }
  self.next = nullptr;
  self.started.store(true);
  if (!g_waits_for_armed.exchange(true)) {
    observe::add(g_when_armed);
    worksharing::start();
    worksharing::add(g_when_wanted);
  }
  if (team::is_followed()) {
    register_alone(R);
  }
  return 1;
}

template <int R>
void finalize(Data*) noexcept {
  if (StartToolResult* next = g_runtimes[R].next; next != nullptr && next->finalize != nullptr) {
    next->finalize(&next->tool_data);
  }
}

constexpr auto kResults =
    make_table([](auto r) { return StartToolResult{initialize<r>, finalize<r>, Data{0}}; });

}  // namespace

}  // namespace nestbind::ompt

extern "C" __attribute__((visibility("default"))) nestbind::ompt::StartToolResult* ompt_start_tool(
    unsigned omp_version, const char* runtime_version) {
  using namespace nestbind::ompt;
  // True while we ask another tool, because that tool may ask us.
  static constinit thread_local bool t_asking __attribute__((tls_model("initial-exec"))) = false;
  if (t_asking) {
    return nullptr;
  }
  const nestbind::support::ErrnoKept errno_kept;
  t_asking = true;
  StartToolResult* next =
      ask_next_tool(omp_version, runtime_version, __builtin_return_address(0), ompt_start_tool);
  t_asking = false;
  const int r = g_asked.fetch_add(1, std::memory_order_relaxed);
  if (r >= kMaxRuntimes) {
    return next;
  }
  nestbind::placement::start();
  nestbind::placement::runtime_starts();
  if (nestbind::process::armed()) {
    hide_display(__builtin_return_address(0));
  }
  g_runtimes[r].next = next;
  g_runtimes[r].result = kResults[r];
  return &g_runtimes[r].result;
}
