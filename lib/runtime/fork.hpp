// SPDX-License-Identifier: BSD-3-Clause
// The one header that an instrument sees: what it tells the runtime of a fork.
//
//   encountering thread   parent = fork_begin(omp)
//   each member           member_begin(parent, number, size, omp)
//                         ... the region, and the explicit tasks that its last barrier runs ...
//                         member_end(parent, number)
//
// The master has to report its end; of the other members those may keep silent that run no program
// code before their next member_begin.
//
// `parent` is handed from the encountering thread to the members by the instrument (through the
// outlined function's data, or the tool's data word). A fork whose threads are in place costs a few
// loads: no system call, allocation or lock, and no write to memory that threads share.
#pragma once

#include <atomic>
#include <cstddef>

namespace nestbind::workers {
struct Crew;  // opaque to instruments
}

namespace nestbind::runtime {

// The OpenMP runtime that a fork belongs to: its own functions, from the copy that forks. All are
// given, and none may be null.
struct OmpCalls {
  int (*get_thread_num)();
  int (*get_num_threads)();
  int (*get_max_threads)();
  int (*get_level)();
  int (*get_ancestor_thread_num)(int level);
  int (*get_team_size)(int level);
  int (*get_max_active_levels)();
  void (*set_num_threads)(int);
  void (*set_max_active_levels)(int);
};

// Fills all of them by `address_of(name)`, which may return null. Returns whether there are all.
template <typename AddressOf>
bool find_omp_calls(OmpCalls& omp, AddressOf address_of) {
  const auto find = [&]<typename Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(address_of(name));
    return function != nullptr;
  };
  return find("omp_get_thread_num", omp.get_thread_num) &&
         find("omp_get_num_threads", omp.get_num_threads) &&
         find("omp_get_max_threads", omp.get_max_threads) && find("omp_get_level", omp.get_level) &&
         find("omp_get_ancestor_thread_num", omp.get_ancestor_thread_num) &&
         find("omp_get_team_size", omp.get_team_size) &&
         find("omp_get_max_active_levels", omp.get_max_active_levels) &&
         find("omp_set_num_threads", omp.set_num_threads) &&
         find("omp_set_max_active_levels", omp.set_max_active_levels);
}

struct Place;  // opaque to instruments

// Whether anything was ever specified in this process (or nobody has looked yet). While it is
// false, an instrument does nothing but hand the call on.
extern std::atomic<bool> g_armed;
inline bool armed() { return g_armed.load(std::memory_order_relaxed); }

// On the encountering thread, before the runtime decides on the team: its place, for its members.
// Null where the team is not planned; the members are told all the same.
const Place* fork_begin(const OmpCalls& omp);

// On the encountering thread, behind fork_begin, of a runtime that creates workers inside the fork,
// and lets those of inner teams end with it: the team that is asked for. New workers then begin
// where they are planned; otherwise they would begin where their creator is, and wait there until
// it sleeps. The master goes to its place for the same reason. Only a hint: member_begin decides.
// Returns the crew that the workers of an inner team
// come from instead; null: they are new threads.
workers::Crew* expect_workers(const Place* parent, int size, const OmpCalls& omp);

// On the encountering thread, when that fork's team has ended: its workers wait for the next.
void workers_return(workers::Crew* crew);

// The program has changed something of the calling thread in the kernel: kept workers of which this
// is not known are not used for it.
void thread_changed();

// On a thread that encounters a league of teams: it owns the plan before the league's other threads
// fork, if nobody does.
void league_begin(const OmpCalls& omp);

// For sources that carry nothing from the fork to its members (OPARI 1): on a member, the place of
// the thread that forked its team, found from the ancestors' numbers. Null where it is not planned.
const Place* parent_by_path(const OmpCalls& omp);

// Whether the calling thread's latest member_begin was told by another source than the one with
// these calls. For sources that stand back where another acts.
bool told_by_other(const OmpCalls& omp);

// On each member, the encountering thread too, before the region's code: binds it.
// number in [0, size), size >= 1: the team that is really forked.
void member_begin(const Place* parent, int number, int size, const OmpCalls& omp);

// On each member, behind the region's last barrier: threads still run explicit tasks there.
void member_end(const Place* parent, int number);

// An OpenMP runtime has started, or is found started, and its settings can be changed: gives its
// initial thread the specification's sizes. Called by an instrument on that thread.
void runtime_started(const OmpCalls& omp);

// Gives the calling thread the process's mask until its next fork: an OpenMP runtime is about to
// count the processors.
void widen_self();

// The program asks for the size of its next team: the initial thread has the specification's from
// then on, if it has not yet. Behind the start of the runtime. Returns whether it had to be given.
bool sizes_before_fork(const OmpCalls& omp);

// The program has called omp_set_num_threads on the calling thread.
void program_chose_size();

// The mask that the process was started with is still the calling thread's: remembers it, the first
// time. An OpenMP runtime is about to narrow the initial thread.
void learn_process_mask();

// Whether the calling thread's mask in the kernel is one that nestbind has set.
bool self_is_bound();

// Writes the mask that the process was started with into `bytes` bytes, as sched_getaffinity would.
// Returns false where it is not known or does not fit.
bool read_process_mask(void* mask, std::size_t bytes);

// The calls under which a source has told of the same runtime as having started; `omp` itself, if
// none has. A fork begins with these, so that the sizes that a thread has got from one source count
// for all.
const OmpCalls* known_runtime(const OmpCalls* omp);

// Whether the user wants LLVM's runtime in the place of GCC's (NESTBIND_RUNTIME=llvm). Known when
// something is specified.
bool llvm_is_wanted();

// From now on GCC's entries tell of all forks of the runtime with these calls: its tool interface,
// which would cost each fork and each barrier a little, is not needed. Returns false where the
// runtime has been told of already.
bool tell_by_entries(const OmpCalls& omp);

// The calls under which GCC's entries tell of the forks of this runtime; null where they do not.
const OmpCalls* told_by_entries(const OmpCalls& omp);

// Says, once, that the teams of an instrumented program cannot be bound, because its OpenMP runtime
// does not export this function.
void warn_not_exported(const char* function);

// Registers what an instrument does when something is specified for the first time (look for its
// runtime, register callbacks). Done at once if that has happened. For start-up, not thread-safe.
void when_armed(void (*action)());

}  // namespace nestbind::runtime
