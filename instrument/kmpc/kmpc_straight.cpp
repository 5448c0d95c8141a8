// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/kmpc/kmpc_straight.hpp"

#include "process/once.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::kmpc {

constinit std::atomic<void*> g_straight[kEntryCount] = {};
constinit std::atomic<bool> g_was_wanted{false};

namespace {

// Closes the fast paths after a schedule was set. Other threads may open fast paths meanwhile.
void close(bool is_wanted) {
  if (!is_wanted) {
    return;
  }
  g_was_wanted.store(true, std::memory_order_seq_cst);
  for (std::atomic<void*>& way : g_straight) {
    way.store(nullptr, std::memory_order_seq_cst);
  }
}

// Lets an entry jump to the runtime if all modules use one runtime, and no loop was ever shared.
void open(int entry, const Runtime& runtime) {
  if (g_was_wanted.load(std::memory_order_relaxed) || &runtime != global_runtime() ||
      has_own_copies()) {
    return;
  }
  g_straight[entry].store(runtime.entry[entry], std::memory_order_seq_cst);
  if (g_was_wanted.load(std::memory_order_seq_cst)) {
    g_straight[entry].store(nullptr, std::memory_order_seq_cst);
  }
}

constinit worksharing::Listener g_when_changed{close};

// Called by loops, because regions may run before our constructor.
void listen() {
  static constinit process::Once once;
  once.run([] {
    worksharing::start();
    worksharing::add(g_when_changed);
  });
}

}  // namespace

const Runtime* find_runtime_of_call(int entry, const void* caller) {
  listen();
  const Runtime* runtime = runtime_of(caller);
  if (runtime != nullptr) {
    open(entry, *runtime);
  }
  return runtime;
}

}  // namespace nestbind::kmpc
