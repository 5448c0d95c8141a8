/* SPDX-License-Identifier: BSD-3-Clause */
/* rank [wait]: forks nested teams of two levels with the default sizes. Prints a row for each
 * innermost thread (tests/programs/show.h). The label of a row has the number of the rank and its
 * node. With an argument the program then waits for a signal. */
#define _GNU_SOURCE
#include <string.h>

#include "../programs/show.h"

static const char *variable(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value == NULL ? otherwise : value;
}

/* Returns the number of the rank, from the variables of the innermost launcher (MPI before Slurm).
 */
static const char *rank(void) {
  return variable("OMPI_COMM_WORLD_RANK", variable("PMI_RANK", variable("SLURM_PROCID", "-")));
}

int main(int argc, char **argv) {
  char label[256];
  snprintf(label, sizeof label, "%s@%s", rank(), variable("SLURMD_NODENAME", "-"));
#pragma omp parallel
#pragma omp parallel
  show(label);
  if (argc > 1 && strcmp(argv[1], "wait") == 0) {
    say("ready %d", (int)getpid());
    pause();
  }
  return 0;
}
