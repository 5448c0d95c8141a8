// SPDX-License-Identifier: BSD-3-Clause
#include "workers/registry.hpp"

#include <stdlib.h>

#include <new>

namespace nestbind::workers {

constinit std::atomic<Workers*> g_parts[kMostParts] = {};

namespace {

Worker* take_from(Workers& part) {
  for (Worker& worker : part.worker) {
    if (worker.take()) {
      return &worker;
    }
  }
  return nullptr;
}

// The part of this number, which is made where there is none.
Workers* part_of(int number) {
  Workers* part = g_parts[number].load(std::memory_order_acquire);
  if (part != nullptr) {
    return part;
  }
  void* memory = aligned_alloc(alignof(Workers), sizeof(Workers));
  if (memory == nullptr) {
    return nullptr;
  }
  auto* made = new (memory) Workers;
  if (!g_parts[number].compare_exchange_strong(part, made)) {
    free(memory);  // another thread was faster
    return part;
  }
  return made;
}

}  // namespace

Worker* take_worker() {
  // The part where the last one was found; in those before it few are free.
  static constinit std::atomic<int> last{0};
  Workers* part = g_parts[last.load(std::memory_order_relaxed)].load(std::memory_order_acquire);
  Worker* worker = part == nullptr ? nullptr : take_from(*part);
  for (int number = 0; worker == nullptr && number < kMostParts; ++number) {
    part = part_of(number);
    if (part == nullptr) {
      return nullptr;
    }
    worker = take_from(*part);
    last.store(number, std::memory_order_relaxed);
  }
  return worker;
}

}  // namespace nestbind::workers
