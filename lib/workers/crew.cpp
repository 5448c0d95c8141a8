// SPDX-License-Identifier: BSD-3-Clause
#include "workers/crew.hpp"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "workers/census.hpp"

// The C library's way to have something done when a thread ends; there is no limit to its number,
// as there is for keys.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the C library's names
extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library);
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

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

// The workers that the crew's present fork, if it is out, has not hired.
void dismiss_idle(Crew& crew) {
  for (int i = crew.is_out ? crew.position : 0; i < crew.capacity; ++i) {
    if (crew.workers[i] != nullptr) {
      crew.workers[i]->dismiss();
      crew.workers[i] = nullptr;
    }
  }
}

void end_master(void* memory) {
  auto& master = *static_cast<Master*>(memory);
  while (Crew* crew = master.crews) {
    master.crews = crew->next;
    crew->is_out = false;
    dismiss_idle(*crew);
    free(static_cast<void*>(crew->workers));
    free(crew);
  }
  count_threads(-master.own_team);
  master = {};
}

// The process's initial thread ends with the process, and its workers with it.
void watch_end(Master& master) {
  if (!master.is_watched) {
    master.is_watched =
        gettid() == getpid() ||
        __cxa_thread_atexit_impl(end_master, &master, static_cast<void*>(&__dso_handle)) == 0;
  }
}

Crew* new_crew(Master& master, const void* runtime, int level) {
  auto* crew = static_cast<Crew*>(calloc(1, sizeof(Crew)));
  if (crew != nullptr) {
    *crew = {master.crews, runtime, level, false, 0, 0, nullptr};
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

// Where there is no room for another thread, idle ones make it: the calling thread's own at once,
// those of others when their time is over.
template <typename Begin>
int with_room(Begin begin) {
  int result = begin();
  if (result != EAGAIN || kept_workers() == 0) {
    return result;
  }
  for (Crew* crew = t_master.crews; crew != nullptr; crew = crew->next) {
    dismiss_idle(*crew);
  }
  constexpr timespec kShort{0, 1000000};
  for (int waited = 0; result == EAGAIN && waited < 1000 * (terms().idle_seconds + 1); ++waited) {
    nanosleep(&kShort, nullptr);
    result = begin();
  }
  return result;
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
    if (!(*slot)->is_like_new(request)) {
      (*slot)->dismiss();
      *slot = nullptr;
    } else if ((*slot)->call(request)) {
      return 0;
    }
  }
  if (slot != nullptr && count_worker()) {
    *slot = *slot == nullptr ? Worker::make() : *slot;
    const int result =
        *slot == nullptr ? ENOMEM : with_room([&] { return (*slot)->begin(request, create); });
    if (result != 0) {
      uncount_worker();
    }
    if (result != ENOMEM) {
      return result;
    }
  }
  return with_room(
      [&] { return create(request.thread, request.attributes, request.start, request.argument); });
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

void forget_crews() {
  t_master.crews = nullptr;
  t_master.own_team = 0;
  forget_worker();
  count_anew();
}

}  // namespace nestbind::workers
