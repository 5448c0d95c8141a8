// SPDX-License-Identifier: BSD-3-Clause
// POMP as the source of forks, where neither GOMP nor OMPT is: a statically linked libgomp, a
// runtime without a tool interface. What it knows comes from the runtime's own omp_get_* functions.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>

#include "instrument/pomp/hooks.hpp"
#include "runtime/fork.hpp"

namespace nestbind::pomp {

namespace {

using runtime::OmpCalls;
using runtime::Place;

enum class Role { kOpen, kActs, kStandsBack };

constinit std::atomic<Role> g_role{Role::kOpen};
constinit std::atomic<int (*)()> g_get_thread_num{nullptr};
constinit std::atomic<const OmpCalls*> g_calls{nullptr};
constinit OmpCalls g_found{};
// Where the runtime is linked statically, nobody sees that a thread calls omp_set_num_threads. It
// has then another size than the one that every thread begins with.
constinit std::atomic<bool> g_sizes_unseen{false};
constinit int g_first_size = 0;
constinit pthread_t g_initial_thread{};
constinit pthread_once_t g_once = PTHREAD_ONCE_INIT;

// In the word of a region whose encountering thread has no place.
constexpr int64_t kNoPlace = 1;

struct Module {
  void* handle;
  const void* base;
};

Module module_of(const void* address) {
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return {};
  }
  const char* name = map->l_name[0] == '\0' ? nullptr : map->l_name;
  return {dlopen(name, RTLD_LAZY | RTLD_NOLOAD), info.dli_fbase};
}

// Only the runtime's own function counts: for one that it does not export, the loader would find
// somebody else's of the same name, ours too.
void* find(const Module& module, const char* name) {
  void* found = dlsym(module.handle, name);
  Dl_info info;
  if (found != nullptr && dladdr(found, &info) != 0 && info.dli_fbase == module.base) {
    return found;
  }
  runtime::warn_not_exported(name);
  return nullptr;
}

void find_calls() {
  int (*known)() = g_get_thread_num.load(std::memory_order_acquire);
  const void* address = known != nullptr ? reinterpret_cast<const void*>(known)
                                         : dlsym(RTLD_DEFAULT, "omp_get_thread_num");
  const Module module = address == nullptr ? Module{} : module_of(address);
  const auto address_of = [&](const char* name) { return find(module, name); };
  if (module.handle != nullptr && runtime::find_omp_calls(g_found, address_of)) {
    const void* first = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    g_sizes_unseen.store(first == reinterpret_cast<const void*>(g_found.set_num_threads));
    g_calls.store(&g_found, std::memory_order_release);
  } else {
    g_role.store(Role::kStandsBack, std::memory_order_relaxed);
  }
}

const OmpCalls* calls() {
  const OmpCalls* known = g_calls.load(std::memory_order_acquire);
  if (known == nullptr) {
    pthread_once(&g_once, find_calls);
    known = g_calls.load(std::memory_order_acquire);
  }
  return known;
}

bool may_act() {
  return runtime::armed() && g_role.load(std::memory_order_relaxed) != Role::kStandsBack;
}

// Decided once, by the first members that begin. Another source would have told of their region by
// now, because it reports the fork after POMP's and the member before POMP's.
bool acts(const OmpCalls& omp) {
  Role role = g_role.load(std::memory_order_relaxed);
  if (role == Role::kOpen) {
    const Role mine = runtime::told_by_other(omp) ? Role::kStandsBack : Role::kActs;
    role = g_role.compare_exchange_strong(role, mine) ? mine : role;
  }
  return role == Role::kActs;
}

// The forking thread's place.
const Place* fork_of(const OmpCalls& omp) {
  if (g_sizes_unseen.load(std::memory_order_relaxed) && g_first_size > 0 && omp.get_level() == 0 &&
      pthread_equal(pthread_self(), g_initial_thread) == 0 &&
      omp.get_max_threads() != g_first_size) {
    runtime::program_chose_size();
  }
  return runtime::fork_begin(*runtime::known_runtime(&omp));
}

const Place* parent_of(int64_t word, const OmpCalls& omp) {
  if (word == kNoWord) {
    return runtime::parent_by_path(omp);
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the tool carries an integer
  return word == kNoPlace ? nullptr : reinterpret_cast<const Place*>(word);
}

class ErrnoKept {
 public:
  ~ErrnoKept() { errno = kept_; }

 private:
  int kept_ = errno;
};

}  // namespace

}  // namespace nestbind::pomp

using namespace nestbind;
using namespace nestbind::pomp;

#define NESTBIND_HOOK extern "C" __attribute__((visibility("default")))

NESTBIND_HOOK void nestbind_pomp_runtime(int (*omp_get_thread_num)(void)) {
  int (*none)() = nullptr;
  g_get_thread_num.compare_exchange_strong(none, omp_get_thread_num);
}

NESTBIND_HOOK void nestbind_pomp_start(void) {
  const ErrnoKept kept;
  if (const OmpCalls* omp = calls()) {
    g_initial_thread = pthread_self();
    g_first_size = g_sizes_unseen.load() ? omp->get_max_threads() : 0;
    runtime::runtime_started(*runtime::known_runtime(omp));
  }
}

// Whichever source acts: the size becomes a num_threads clause.
NESTBIND_HOOK void nestbind_pomp_sizes(void) {
  if (!runtime::armed()) {
    return;
  }
  const ErrnoKept kept;
  if (const OmpCalls* omp = calls()) {
    fork_of(*omp);
  }
}

NESTBIND_HOOK int64_t nestbind_pomp_fork(void) {
  if (!may_act()) {
    return kNoWord;
  }
  const ErrnoKept kept;
  const OmpCalls* omp = calls();
  if (omp == nullptr) {
    return kNoWord;
  }
  const Place* parent = fork_of(*omp);
  return parent == nullptr ? kNoPlace : reinterpret_cast<int64_t>(parent);
}

NESTBIND_HOOK void nestbind_pomp_begin(int64_t word) {
  if (!may_act()) {
    return;
  }
  const ErrnoKept kept;
  const OmpCalls* omp = calls();
  if (omp == nullptr || !acts(*omp)) {
    return;
  }
  runtime::member_begin(parent_of(word, *omp), omp->get_thread_num(), omp->get_num_threads(), *omp);
}

NESTBIND_HOOK void nestbind_pomp_end(int64_t word) {
  if (!runtime::armed() || g_role.load(std::memory_order_relaxed) != Role::kActs) {
    return;
  }
  const ErrnoKept kept;
  const OmpCalls& omp = *calls();
  runtime::member_end(parent_of(word, omp), omp.get_thread_num());
}

NESTBIND_HOOK void nestbind_pomp_cancelled(int64_t word) {
  if (word == kNoWord || g_role.load(std::memory_order_relaxed) != Role::kActs) {
    return;
  }
  const ErrnoKept kept;
  runtime::member_end(parent_of(word, *calls()), 0);
}
