// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls that create processes. pthread_atfork already handles fork
// (placement/placement_start.cpp). If the user may start no more processes, the hook of fork ends
// kept workers. Other calls that start programs do not call fork, so each has a hook. In an
// existing child, we only replace a mask that we have set.
#include <alloca.h>
#include <errno.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "binding/widened.hpp"
#include "interpose/next_function.hpp"
#include "placement/placement_start.hpp"
#include "process/armed.hpp"
#include "workers/leaving.hpp"

using nestbind::binding::widened;
using nestbind::binding::widened_for_exec;

namespace {

using nestbind::workers::kReturnsError;
using nestbind::workers::with_room;

bool errno_lacks_room() { return kReturnsError(errno); }

// (The C library's variadic functions would not call our hooks.) The first argument may be null,
// although the headers forbid it.
template <typename Execute>
int execute_listed(const char* first, va_list& more, Execute execute) {
  va_list counted;
  va_copy(counted, more);
  unsigned count = 0;
  for (const char* volatile argument = first; argument != nullptr; ++count) {
    argument = va_arg(counted, const char*);
  }
  va_end(counted);
  auto** array = static_cast<char**>(alloca((count + 1) * sizeof(char*)));
  array[0] = count == 0 ? nullptr : const_cast<char*>(first);
  for (unsigned i = 1; i <= count; ++i) {
    array[i] = va_arg(more, char*);
  }
  return execute(array);
}

// Hook for the C library's clone. A child with its own memory runs our code first. Other children
// do not run our code, because they may have no thread-local variables of their own. Such a child
// inherits the creator's mask. So the creator has the process's mask until clone returns.
using nestbind::workers::kSetsErrno;
using nestbind::workers::with_room;

struct CloneBeginning {
  int (*function)(void*);
  void* argument;
};

int begin_free(void* memory) {
  const CloneBeginning beginning = *static_cast<CloneBeginning*>(memory);
  nestbind::placement::free_child();
  return beginning.function(beginning.argument);
}

template <typename Clone>
int create(Clone* next, CloneBeginning beginning, void* stack, int flags, va_list& more) {
  void* const parent_id = va_arg(more, void*);
  void* const thread_local_area = va_arg(more, void*);
  void* const child_id = va_arg(more, void*);
  const bool is_good = beginning.function != nullptr && stack != nullptr;
  if (is_good && (flags & (CLONE_VM | CLONE_SETTLS)) == 0) {
    return with_room(
        [&] {
          return next(begin_free, stack, flags, &beginning, parent_id, thread_local_area, child_id);
        },
        kSetsErrno);
  }
  const nestbind::binding::Widened while_it_creates;
  return with_room(
      [&] {
        return next(beginning.function, stack, flags, beginning.argument, parent_id,
                    thread_local_area, child_id);
      },
      kSetsErrno);
}

}  // namespace

NESTBIND_INTERPOSE pid_t fork() noexcept {
  nestbind::process::note_child();
  return with_room([] { return NESTBIND_NEXT(fork)(); }, nestbind::workers::kSetsErrno);
}

// If no process can be made, system() returns -1. Older C libraries return the status of an unknown
// command instead. So errno decides.
NESTBIND_INTERPOSE int system(const char* command) {
  constexpr int kNotFound = 127 << 8;
  const int before = errno;
  errno = 0;
  const int result = with_room(
      [&] { return widened(NESTBIND_NEXT(system), command); },
      [](int status) { return (status == kNotFound || status == -1) && errno_lacks_room(); });
  errno = errno == 0 ? before : errno;
  return result;
}

NESTBIND_INTERPOSE FILE* popen(const char* command, const char* mode) {
  return with_room([&] { return widened(NESTBIND_NEXT(popen), command, mode); },
                   [](const FILE* pipe) { return pipe == nullptr && errno_lacks_room(); });
}

NESTBIND_INTERPOSE int posix_spawn(pid_t* child, const char* path,
                                   const posix_spawn_file_actions_t* actions,
                                   const posix_spawnattr_t* attributes, char* const arguments[],
                                   char* const environment[]) {
  return with_room(
      [&] {
        return widened(NESTBIND_NEXT(posix_spawn), child, path, actions, attributes, arguments,
                       environment);
      },
      kReturnsError);
}

NESTBIND_INTERPOSE int posix_spawnp(pid_t* child, const char* file,
                                    const posix_spawn_file_actions_t* actions,
                                    const posix_spawnattr_t* attributes, char* const arguments[],
                                    char* const environment[]) {
  return with_room(
      [&] {
        return widened(NESTBIND_NEXT(posix_spawnp), child, file, actions, attributes, arguments,
                       environment);
      },
      kReturnsError);
}

NESTBIND_INTERPOSE pid_t _Fork() noexcept {
  const pid_t child =
      with_room([] { return NESTBIND_NEXT(_Fork)(); }, nestbind::workers::kSetsErrno);
  if (child == 0) {
    nestbind::placement::free_child();
  }
  return child;
}

NESTBIND_INTERPOSE int execve(const char* path, char* const arguments[],
                              char* const environment[]) noexcept {
  return widened_for_exec(NESTBIND_NEXT(execve), path, arguments, environment);
}

NESTBIND_INTERPOSE int execv(const char* path, char* const arguments[]) noexcept {
  return widened_for_exec(NESTBIND_NEXT(execv), path, arguments);
}

NESTBIND_INTERPOSE int execvp(const char* file, char* const arguments[]) noexcept {
  return widened_for_exec(NESTBIND_NEXT(execvp), file, arguments);
}

NESTBIND_INTERPOSE int execvpe(const char* file, char* const arguments[],
                               char* const environment[]) noexcept {
  return widened_for_exec(NESTBIND_NEXT(execvpe), file, arguments, environment);
}

NESTBIND_INTERPOSE int fexecve(int file, char* const arguments[],
                               char* const environment[]) noexcept {
  return widened_for_exec(NESTBIND_NEXT(fexecve), file, arguments, environment);
}

NESTBIND_INTERPOSE int execveat(int folder, const char* path, char* const arguments[],
                                char* const environment[], int flags) noexcept {
  return widened_for_exec(NESTBIND_NEXT(execveat), folder, path, arguments, environment, flags);
}

NESTBIND_INTERPOSE int execl(const char* path, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int result =
      execute_listed(first, more, [&](char** arguments) { return execv(path, arguments); });
  va_end(more);
  return result;
}

NESTBIND_INTERPOSE int execlp(const char* file, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int result =
      execute_listed(first, more, [&](char** arguments) { return execvp(file, arguments); });
  va_end(more);
  return result;
}

NESTBIND_INTERPOSE int execle(const char* path, const char* first, ...) noexcept {
  va_list more;
  va_start(more, first);
  const int result = execute_listed(first, more, [&](char** arguments) {
    return execve(path, arguments, va_arg(more, char* const*));
  });
  va_end(more);
  return result;
}

NESTBIND_INTERPOSE int clone(int (*function)(void*), void* stack, int flags, void* argument,
                             ...) noexcept {
  va_list more;
  va_start(more, argument);
  const int child = create(NESTBIND_NEXT(clone), {function, argument}, stack, flags, more);
  va_end(more);
  return child;
}
