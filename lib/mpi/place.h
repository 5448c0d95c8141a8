/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the planner which process gets which rank. */
#pragma once

#include "planner/planner_ranks.h"

/* Sets the number of nodes in `job`, and writes the process of each new rank. Returns 1 if this
 * order is better than the old one. The same job gives the same order in each process. Says on the
 * standard error output if the planner is missing or lacks memory. */
int nestbind_place(struct nestbind_job *job, int *process, struct nestbind_gain *gain);
