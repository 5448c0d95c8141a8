// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/gomp_straight.hpp"

#include "instrument/gomp/forked_loop.hpp"
#include "interpose/module.hpp"

namespace nestbind::gomp {

constinit std::atomic<void*> g_straight[std::size(kLoopEntries)] = {};

namespace {

void close(bool is_wanted) {
  for (std::atomic<void*>& way : g_straight) {
    if (is_wanted) {
      way.store(nullptr, std::memory_order_seq_cst);
    }
  }
}

// Lets an entry jump to the runtime if all code uses one runtime. Another thread may set a schedule
// meanwhile. So open() checks again at its end, and close() is called after the schedule is in
// force.
void open(int entry, const Runtime& runtime) {
  if (worksharing::is_wanted() || &runtime != global_runtime() || some_modules_are_known()) {
    return;
  }
  g_straight[entry].store(runtime.loop[entry], std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (worksharing::is_wanted()) {
    g_straight[entry].store(nullptr, std::memory_order_seq_cst);
  }
}

constinit worksharing::Listener g_when_changed{close};

__attribute__((constructor)) void begin_straight() { worksharing::add(g_when_changed); }

const Runtime* runtime_of_region() {
  return team::is_inside() ? runtime_with(*team::t_here.member->team->runtime) : nullptr;
}

}  // namespace

const Runtime* find_runtime_of_call(int entry, const void* caller, const Runtime* known) {
  const Runtime* runtime = known != nullptr             ? known
                           : interpose::is_ours(caller) ? runtime_of_region()
                                                        : nullptr;
  if (runtime == nullptr) {
    runtime = runtime_of(caller);
  }
  if (runtime != nullptr) {
    open(entry, *runtime);
  }
  return runtime;
}

}  // namespace nestbind::gomp
