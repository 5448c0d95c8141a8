// SPDX-License-Identifier: BSD-3-Clause
// A plugin without OpenMP. Each of its users has a thread_local object and a value of a pthread
// key. The destructors of both increment a counter of the program (idle.c).
#include <pthread.h>

namespace {

struct Counted {
  int* counter = nullptr;
  ~Counted() {
    if (counter != nullptr) {
      __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
    }
  }
};

thread_local Counted t_counted;
pthread_key_t g_key;

void count(void* counter) { __atomic_fetch_add(static_cast<int*>(counter), 1, __ATOMIC_SEQ_CST); }

__attribute__((constructor)) void begin() { pthread_key_create(&g_key, count); }

}  // namespace

extern "C" void plugin_use(int* counter) {
  t_counted.counter = counter;
  pthread_setspecific(g_key, counter);
}

// A thread_local object would be wrong here: it would keep dlclose from unloading the library.
extern "C" void plugin_use_key(int* counter) { pthread_setspecific(g_key, counter); }
