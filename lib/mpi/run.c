/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/run.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/library.h"
#include "mpi/nodes.h"
#ifndef OPEN_MPI
#include "mpi/traffic.h"
#endif

/* A tool's MPI_Init calls PMPI_Init, and both are hooks: only the first that returns begins. */
static int g_has_begun, g_has_ended;

int nestbind_begin(int result) {
  if (result != MPI_SUCCESS || g_has_begun) {
    return result;
  }
  g_has_begun = 1;
  const char *reorder = getenv("NESTBIND_REORDER");
  const char *folder = getenv("NESTBIND_TRAFFIC");
  const int wants_order = reorder != NULL && strcmp(reorder, "on") == 0;
  if (!wants_order && folder == NULL) {
    return result;
  }
  if (!nestbind_find_library()) {
    nestbind_tell(
        "warning: this process's MPI library is of another family than NESTBIND_MPI says");
    return result;
  }
  if (wants_order) {
    nestbind_exchange_nodes();
  }
#ifndef OPEN_MPI
  if (folder != NULL && folder[0] != '\0') {
    nestbind_count_traffic(folder);
  }
#endif
  return result;
}

void nestbind_end(void) {
  if (g_has_begun && !g_has_ended) {
    g_has_ended = 1;
#ifndef OPEN_MPI
    nestbind_write_traffic();
#endif
  }
}
