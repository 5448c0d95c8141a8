// SPDX-License-Identifier: BSD-3-Clause
#include "workers/crew.hpp"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "workers/census.hpp"
#include "workers/leaving.hpp"
#include "workers/registry.hpp"
#include "workers/room.hpp"
#include "workers/thread_end.hpp"

namespace nestbind::workers {

struct Crew {
  Crew* next;
  const void* runtime;
  int level;
  bool is_out;
  int position;  // of the next worker
  int capacity;
  Worker** workers;
};

namespace {

// A thread that forks.
struct Master {
  Crew* crews;
  int own_team;     // threads that its runtime keeps for it, itself not counted
  bool is_watched;  // its end is
};

constinit thread_local Master t_master __attribute__((tls_model("initial-exec"))) = {};

void end_master(void* memory) {
  auto& master = *static_cast<Master*>(memory);
  while (Crew* crew = master.crews) {
    master.crews = crew->next;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // see crews_are_home
    for (int i = 0; i < crew->capacity; ++i) {
      if (crew->workers[i] != nullptr) {
        crew->workers[i]->dismiss();
      }
    }
    free(static_cast<void*>(crew->workers));
    free(crew);
  }
  count_threads(-master.own_team);
  master = {};
}

// Made early; a program may have used up all keys.
constinit pthread_key_t g_key = 0;
constinit bool g_has_key = false;

// The process's initial thread ends with the process, and its workers with it; or alone, by
// pthread_exit, which runs the destructors of keys and no others there.
void watch_end(Master& master) {
  if (!master.is_watched) {
    master.is_watched = (g_has_key && pthread_setspecific(g_key, &master) == 0) ||
                        gettid() == getpid() || at_thread_end(end_master, &master);
  }
}

Crew* new_crew(Master& master, const void* runtime, int level) {
  auto* crew = static_cast<Crew*>(calloc(1, sizeof(Crew)));
  if (crew != nullptr) {
    *crew = {master.crews, runtime, level, false, 0, 0, nullptr};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    master.crews = crew;
    watch_end(master);
  }
  return crew;
}

// The slot of the next worker; null without memory.
Worker** next_slot(Crew& crew) {
  if (crew.position >= crew.capacity) {
    const int capacity = crew.capacity == 0 ? 4 : 2 * crew.capacity;
    void* memory = realloc(static_cast<void*>(crew.workers),
                           static_cast<std::size_t>(capacity) * sizeof(Worker*));
    if (memory == nullptr) {
      return nullptr;
    }
    crew.workers = static_cast<Worker**>(memory);
    for (int i = crew.capacity; i < capacity; ++i) {
      crew.workers[i] = nullptr;
    }
    crew.capacity = capacity;
  }
  return &crew.workers[crew.position++];
}

// One more worker that may be kept, and does not yet run; null where there is to be none.
Worker* new_worker(const pthread_attr_t* attributes) {
  if (!count_worker(attributes)) {
    return nullptr;
  }
  watch_exit();
  Worker* worker = take_worker();
  if (worker == nullptr) {
    uncount_worker();
  }
  return worker;
}

}  // namespace

Crew* crew_for_fork(const void* runtime, int level) {
  if (!workers_are_kept()) {
    return nullptr;
  }
  Crew* crew = t_master.crews;
  while (crew != nullptr && (crew->level != level || crew->runtime != runtime)) {
    crew = crew->next;
  }
  if (crew == nullptr) {
    crew = new_crew(t_master, runtime, level);
  }
  if (crew == nullptr || crew->is_out) {
    return nullptr;
  }
  crew->is_out = true;
  crew->position = 0;
  return crew;
}

int hire(Crew& crew, const Request& request, CreateThread* create) {
  Worker** slot = next_slot(crew);
  if (slot != nullptr && *slot != nullptr) {
    if ((*slot)->is_like_new(request) && (*slot)->call(request)) {
      return 0;
    }
    (*slot)->dismiss();
    *slot = nullptr;
  }
  Worker* worker = slot == nullptr ? nullptr : new_worker(request.attributes);
  if (worker == nullptr) {
    return with_room(
        [&] { return create(request.thread, request.attributes, request.start, request.argument); },
        kReturnsError);
  }
  const int result = with_room([&] { return worker->begin(request, create); }, kReturnsError);
  if (result == 0) {
    *slot = worker;
  } else {
    uncount_worker();
    worker->dismiss();
  }
  return result;
}

void crew_returns(Crew& crew) { crew.is_out = false; }

void note_own_team(int size) {
  Master& master = t_master;
  if (master.own_team != size - 1) {
    count_threads(size - 1 - master.own_team);
    master.own_team = size - 1;
    watch_end(master);
  }
}

bool crews_are_home() {
  const Crew* crew = t_master.crews;
  while (crew != nullptr && !crew->is_out) {
    crew = crew->next;
  }
  return crew == nullptr;
}

void watch_masters() { g_has_key = g_has_key || pthread_key_create(&g_key, end_master) == 0; }

void forget_crews() {
  t_master.crews = nullptr;
  t_master.own_team = 0;
  forget_worker();
  each_worker([](Worker& worker) { worker.forget(); });
  count_anew();
}

}  // namespace nestbind::workers
