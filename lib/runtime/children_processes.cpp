// SPDX-License-Identifier: BSD-3-Clause
// Child processes. fork is reached by pthread_atfork; the C library's other ways to start a program
// are not, nor do they reach each other, so each is stood before. In a child that exists already
// the mask is given back only if it is exactly the one that we had set: a taskset in between stays.
#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interpose/next_function.hpp"
#include "runtime/children.hpp"
#include "runtime/masks.hpp"
#include "runtime/roots.hpp"
#include "runtime/widened.hpp"
#include "workers/crew.hpp"

namespace nestbind::runtime {

namespace {

void free_child() {
  workers::forget_crews();
  const CpuMask bound = bound_mask();
  if (bound.bits == nullptr) {
    return;
  }
  if (kernel_mask_is(bound)) {
    set_kernel_mask(process_mask());
  }
  forget_binding();
}

void after_fork_in_child() {
  unlock_plans();
  keep_owner_in_child();
  free_child();
}

// For exec, also in a child of vfork, which shares the record of the thread that waits for it: the
// record stays as it is, and where exec fails, the mask too.
class WidenedForExec {
 public:
  WidenedForExec() : widened_(kernel_mask_is(bound_mask())) {
    if (widened_) {
      set_kernel_mask(process_mask());
    }
  }
  ~WidenedForExec() {
    if (widened_) {
      set_kernel_mask(bound_mask());
    }
  }
  WidenedForExec(const WidenedForExec&) = delete;
  WidenedForExec& operator=(const WidenedForExec&) = delete;

 private:
  bool widened_;
};

using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                  char* const*, char* const*);
using Exec = int(const char*, char* const*);
using ExecIn = int(const char*, char* const*, char* const*);

constinit NextFunction<int(const char*)> g_system{"system"};
constinit NextFunction<FILE*(const char*, const char*)> g_popen{"popen"};
constinit NextFunction<Spawn> g_posix_spawn{"posix_spawn"};
constinit NextFunction<Spawn> g_posix_spawnp{"posix_spawnp"};
constinit NextFunction<ExecIn> g_execve{"execve"};
constinit NextFunction<Exec> g_execv{"execv"};
constinit NextFunction<Exec> g_execvp{"execvp"};
constinit NextFunction<ExecIn> g_execvpe{"execvpe"};
constinit NextFunction<int(int, char* const*, char* const*)> g_fexecve{"fexecve"};
constinit NextFunction<int(int, const char*, char* const*, char* const*, int)> g_execveat{
    "execveat"};
constinit NextFunction<pid_t()> g_fork_without_handlers{"_Fork"};

__attribute__((constructor)) void begin() {
  find_early(g_system, g_popen, g_posix_spawn, g_posix_spawnp, g_execve, g_execv, g_execvp,
             g_execvpe, g_fexecve, g_execveat, g_fork_without_handlers);
}

// How many arguments there are up to and without the null. The headers declare the first as never
// null, but programs do start others without any argument.
int count_arguments(const char* first, va_list more) {
  const char* volatile argument = first;
  int count = 0;
  while (argument != nullptr) {
    ++count;
    argument = va_arg(more, const char*);
  }
  return count;
}

}  // namespace

void keep_children_free() { pthread_atfork(lock_plans, unlock_plans, after_fork_in_child); }

}  // namespace nestbind::runtime

using namespace nestbind::runtime;

NESTBIND_INTERPOSE int system(const char* command) {
  const Widened widened;
  return g_system.get()(command);
}

NESTBIND_INTERPOSE FILE* popen(const char* command, const char* mode) {
  const Widened widened;
  return g_popen.get()(command, mode);
}

NESTBIND_INTERPOSE int posix_spawn(pid_t* child, const char* path,
                                   const posix_spawn_file_actions_t* actions,
                                   const posix_spawnattr_t* attributes, char* const arguments[],
                                   char* const environment[]) {
  const Widened widened;
  return g_posix_spawn.get()(child, path, actions, attributes, arguments, environment);
}

NESTBIND_INTERPOSE int posix_spawnp(pid_t* child, const char* file,
                                    const posix_spawn_file_actions_t* actions,
                                    const posix_spawnattr_t* attributes, char* const arguments[],
                                    char* const environment[]) {
  const Widened widened;
  return g_posix_spawnp.get()(child, file, actions, attributes, arguments, environment);
}

NESTBIND_INTERPOSE pid_t _Fork() noexcept {
  const pid_t child = g_fork_without_handlers.get()();
  if (child == 0) {
    free_child();
  }
  return child;
}

NESTBIND_INTERPOSE int execve(const char* path, char* const arguments[],
                              char* const environment[]) noexcept {
  const WidenedForExec widened;
  return g_execve.get()(path, arguments, environment);
}

NESTBIND_INTERPOSE int execv(const char* path, char* const arguments[]) noexcept {
  const WidenedForExec widened;
  return g_execv.get()(path, arguments);
}

NESTBIND_INTERPOSE int execvp(const char* file, char* const arguments[]) noexcept {
  const WidenedForExec widened;
  return g_execvp.get()(file, arguments);
}

NESTBIND_INTERPOSE int execvpe(const char* file, char* const arguments[],
                               char* const environment[]) noexcept {
  const WidenedForExec widened;
  return g_execvpe.get()(file, arguments, environment);
}

NESTBIND_INTERPOSE int fexecve(int file, char* const arguments[],
                               char* const environment[]) noexcept {
  const WidenedForExec widened;
  return g_fexecve.get()(file, arguments, environment);
}

NESTBIND_INTERPOSE int execveat(int folder, const char* path, char* const arguments[],
                                char* const environment[], int flags) noexcept {
  const WidenedForExec widened;
  return g_execveat.get()(folder, path, arguments, environment, flags);
}

// The variadic forms do not reach the others inside the C library: they are made here into arrays.
namespace {

// Fills `array` with `count` arguments and a null.
void take_arguments(char** array, int count, const char* first, va_list more) {
  array[0] = count == 0 ? nullptr : const_cast<char*>(first);
  for (int i = 1; i <= count; ++i) {
    array[i] = va_arg(more, char*);
  }
}

}  // namespace

NESTBIND_INTERPOSE int execl(const char* path, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int count = count_arguments(first, more);
  va_end(more);
  auto** array = static_cast<char**>(alloca((static_cast<unsigned>(count) + 1) * sizeof(char*)));
  va_start(more, first);
  take_arguments(array, count, first, more);
  va_end(more);
  return execv(path, array);
}

NESTBIND_INTERPOSE int execlp(const char* file, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int count = count_arguments(first, more);
  va_end(more);
  auto** array = static_cast<char**>(alloca((static_cast<unsigned>(count) + 1) * sizeof(char*)));
  va_start(more, first);
  take_arguments(array, count, first, more);
  va_end(more);
  return execvp(file, array);
}

NESTBIND_INTERPOSE int execle(const char* path, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int count = count_arguments(first, more);
  va_end(more);
  auto** array = static_cast<char**>(alloca((static_cast<unsigned>(count) + 1) * sizeof(char*)));
  va_start(more, first);
  take_arguments(array, count, first, more);
  auto* const* environment = va_arg(more, char* const*);
  va_end(more);
  return execve(path, array, environment);
}
