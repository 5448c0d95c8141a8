// SPDX-License-Identifier: BSD-3-Clause
#include "observe/turn.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>

namespace nestbind::observe {

namespace {

constinit std::atomic<int> g_process{0};  // one of its threads has the turn; 0: nobody
constinit thread_local bool t_has_turn __attribute__((tls_model("initial-exec"))) = false;

}  // namespace

Turn::Turn(int patience) : is_inside_(t_has_turn) {
  if (is_inside_) {
    return;
  }
  t_has_turn = true;
  const int process = getpid();
  constexpr timespec kShort{0, 100000};
  constexpr int kInMillisecond = 10;
  int waits = patience * kInMillisecond;
  int present = 0;
  while (!g_process.compare_exchange_weak(present, process, std::memory_order_acquire) &&
         waits > 0) {
    if (present == process) {
      present = 0;
      nanosleep(&kShort, nullptr);
      --waits;
    }
  }
}

Turn::~Turn() {
  if (!is_inside_) {
    g_process.store(0, std::memory_order_release);
    t_has_turn = false;
  }
}

}  // namespace nestbind::observe
