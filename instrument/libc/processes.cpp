// SPDX-License-Identifier: BSD-3-Clause
// Child processes. fork is reached by pthread_atfork (placement/child_process.cpp); the C library's
// other ways to start a program are not, nor do they reach each other, so each is stood before. In
// a child that exists already the mask is given back only if it is exactly the one that we had set:
// a taskset in between stays.
#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"
#include "placement/child_process.hpp"

using nestbind::binding::Widened;
using nestbind::binding::WidenedForExec;

namespace {

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

NESTBIND_INTERPOSE int system(const char* command) {
  const Widened widened;
  return NESTBIND_NEXT(system)(command);
}

NESTBIND_INTERPOSE FILE* popen(const char* command, const char* mode) {
  const Widened widened;
  return NESTBIND_NEXT(popen)(command, mode);
}

NESTBIND_INTERPOSE int posix_spawn(pid_t* child, const char* path,
                                   const posix_spawn_file_actions_t* actions,
                                   const posix_spawnattr_t* attributes, char* const arguments[],
                                   char* const environment[]) {
  const Widened widened;
  return NESTBIND_NEXT(posix_spawn)(child, path, actions, attributes, arguments, environment);
}

NESTBIND_INTERPOSE int posix_spawnp(pid_t* child, const char* file,
                                    const posix_spawn_file_actions_t* actions,
                                    const posix_spawnattr_t* attributes, char* const arguments[],
                                    char* const environment[]) {
  const Widened widened;
  return NESTBIND_NEXT(posix_spawnp)(child, file, actions, attributes, arguments, environment);
}

NESTBIND_INTERPOSE pid_t _Fork() noexcept {
  const pid_t child = NESTBIND_NEXT(_Fork)();
  if (child == 0) {
    nestbind::placement::free_child();
  }
  return child;
}

NESTBIND_INTERPOSE int execve(const char* path, char* const arguments[],
                              char* const environment[]) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(execve)(path, arguments, environment);
}

NESTBIND_INTERPOSE int execv(const char* path, char* const arguments[]) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(execv)(path, arguments);
}

NESTBIND_INTERPOSE int execvp(const char* file, char* const arguments[]) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(execvp)(file, arguments);
}

NESTBIND_INTERPOSE int execvpe(const char* file, char* const arguments[],
                               char* const environment[]) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(execvpe)(file, arguments, environment);
}

NESTBIND_INTERPOSE int fexecve(int file, char* const arguments[],
                               char* const environment[]) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(fexecve)(file, arguments, environment);
}

NESTBIND_INTERPOSE int execveat(int folder, const char* path, char* const arguments[],
                                char* const environment[], int flags) noexcept {
  const WidenedForExec widened;
  return NESTBIND_NEXT(execveat)(folder, path, arguments, environment, flags);
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
