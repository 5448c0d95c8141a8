/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "property.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

long unseen(long number, ...) {
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long);
  long b = va_arg(more, long);
  long c = va_arg(more, long);
  long d = va_arg(more, long);
  long e = va_arg(more, long);
  va_end(more);
#if defined(__x86_64__)
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long name __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  __asm__ volatile("svc 0"
                   : "+r"(first)
                   : "r"(name), "r"(second), "r"(third), "r"(fourth), "r"(fifth)
                   : "memory");
  return first;
#else
#error "how this processor calls the kernel is not written here"
#endif
}

pid_t thread_id(void) { return (pid_t)unseen(SYS_gettid); }

int failure(long result) { return result < 0 ? errno : 0; }

void read_status(const char *name, char text[kText]) {
  static __thread char content[8192];
  snprintf(text, kText, "no %s", name);
  long file = unseen(SYS_openat, AT_FDCWD, "/proc/thread-self/status", O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return;
  long length = unseen(SYS_read, file, content, sizeof content - 1);
  unseen(SYS_close, file);
  if (length <= 0) return;
  content[length] = '\0';
  size_t of_name = strlen(name);
  for (char *line = content; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, name, of_name) != 0 || line[of_name] != ':') continue;
    char *value = line + of_name + 1;
    value += strspn(value, " \t");
    int most = (int)strcspn(value, "\n");
    snprintf(text, kText, "%s=%.*s", name, most, value);
    for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab, '\t')) *tab = ' ';
  }
}

struct change {
  struct target target;
  int (*make)(const struct target *target);
  int result;
};

static void *make_change(void *given) {
  struct change *change = given;
  change->result = change->make(&change->target);
  return NULL;
}

int by_another(int (*make)(const struct target *target)) {
  struct change change = {{thread_id(), pthread_self()}, make, 0};
  pthread_t other;
  int result = pthread_create(&other, NULL, make_change, &change);
  if (result == 0) result = pthread_join(other, NULL);
  return result != 0 ? result : change.result;
}

void *library_function(const char *name) {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void *function = library == NULL ? NULL : dlsym(library, name);
  if (function == NULL) end_with_value("the C library lacks a function");
  return function;
}
