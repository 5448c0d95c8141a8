// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/straight.hpp"

#include "instrument/gomp/here.hpp"
#include "interpose/own_module.hpp"

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

// Where all code is bound to one runtime. A schedule may come meanwhile: who opens a way looks
// behind that whether there is one, and who puts one in force closes all ways behind that.
void open(int entry, const Runtime& runtime) {
  if (sharing::is_wanted() || &runtime != global_runtime() || some_modules_are_known()) {
    return;
  }
  g_straight[entry].store(runtime.loop[entry], std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (sharing::is_wanted()) {
    g_straight[entry].store(nullptr, std::memory_order_seq_cst);
  }
}

constinit sharing::Listener g_when_changed{close};

__attribute__((constructor)) void begin() { sharing::add(g_when_changed); }

}  // namespace

const Runtime* find_runtime_of_call(int entry, const void* caller, const Runtime* known) {
  const Runtime* runtime = known != nullptr             ? known
                           : interpose::is_ours(caller) ? t_here.runtime
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
