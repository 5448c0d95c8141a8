/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "mpi/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Library nestbind_library;

static int absent(void) { return MPI_ERR_INTERN; }

struct Search {
  const char *name;
  void *found;
};

static int is_ours(const void *address) {
  Dl_info own, other;
  return dladdr((void *)&nestbind_library, &own) == 0 || dladdr(address, &other) == 0 ||
         own.dli_fbase == other.dli_fbase;
}

static int look_in_object(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct Search *search = data;
  void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (object->dlpi_name[0] == '\0' || handle == NULL) {
    return 0;
  }
  void *found = dlsym(handle, search->name);
  dlclose(handle);
  search->found = found == NULL || is_ours(found) ? NULL : found;
  return search->found != NULL;
}

/* Python loads MPI with RTLD_LOCAL. Then RTLD_NEXT does not find it. */
static void *find(const char *name) {
  struct Search search = {name, dlsym(RTLD_NEXT, name)};
  if (search.found == NULL) {
    dl_iterate_phdr(look_in_object, &search);
  }
  return search.found;
}

/* A program that is linked with MPI may have its own copy of a variable, which the library uses,
 * too. */
static void *find_data(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  return found == NULL ? find(name) : found;
}

void *nestbind_next(const char *name) {
  void *next = find(name);
  return next == NULL ? (void *)absent : next;
}

static int find_calls(void) {
  static const struct {
    const char *name;
    size_t offset;
  } kCalls[] = {
#define NESTBIND_ROW(name) {"PMPI_" #name, offsetof(struct Library, name)},
      NESTBIND_CALLS(NESTBIND_ROW)
#undef NESTBIND_ROW
  };
  for (size_t i = 0; i < sizeof kCalls / sizeof *kCalls; ++i) {
    void *found = find(kCalls[i].name);
    if (found == NULL) {
      return 0;
    }
    memcpy((char *)&nestbind_library + kCalls[i].offset, &found, sizeof found);
  }
  return 1;
}

int nestbind_find_library(void) {
  struct Library *own = &nestbind_library;
  const void *open_mpi = find_data("ompi_mpi_comm_world");
#ifdef OPEN_MPI
  own->world = (MPI_Comm)open_mpi;
  own->integer = find_data("ompi_mpi_int");
  own->character = find_data("ompi_mpi_char");
  own->no_info = find_data("ompi_mpi_info_null");
  own->unweighted = MPI_UNWEIGHTED;
  own->weights_empty = MPI_WEIGHTS_EMPTY;
  return open_mpi != NULL && find_calls();
#else
  own->world = MPI_COMM_WORLD;
  own->integer = MPI_INT;
  own->character = MPI_CHAR;
  own->no_info = MPI_INFO_NULL;
  int *const *unweighted = find_data("MPI_UNWEIGHTED");
  int *const *empty = find_data("MPI_WEIGHTS_EMPTY");
  own->unweighted = unweighted == NULL ? NULL : *unweighted;
  own->weights_empty = empty == NULL ? NULL : *empty;
  return open_mpi == NULL && find_calls();
#endif
}

void nestbind_tell(const char *format, ...) {
  const char *quiet = getenv("NESTBIND_QUIET");
  if (quiet != NULL && strcmp(quiet, "1") == 0) {
    return;
  }
  char line[1400] = "nestbind: ";
  const size_t begin = strlen(line);
  va_list values;
  va_start(values, format);
  vsnprintf(line + begin, sizeof line - begin - 1, format, values);
  va_end(values);
  strcat(line, "\n");
  /* At once, because other ranks may write to the same output. */
  const ssize_t unused = write(STDERR_FILENO, line, strlen(line));
  (void)unused;
}
