// SPDX-License-Identifier: BSD-3-Clause
// A runtime with OMPT finds this tool by the name ompt_start_tool. The tool always starts, because
// it could not start later. Without a specification and a schedule it registers no callback.
#include "instrument/ompt/ompt_runtimes.hpp"
#include "instrument/ompt/tool_parts.hpp"
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
