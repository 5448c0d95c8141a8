/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind for programs with MPI. Only headers: the program's own MPI compiler compiles them. */
#ifndef NESTBIND_MPI_H
#define NESTBIND_MPI_H

#include <nestbind/mpi_balance.h>

#endif
