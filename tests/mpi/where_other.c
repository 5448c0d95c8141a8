/* SPDX-License-Identifier: BSD-3-Clause */
#include <nestbind/mpi.h>

#ifdef __cplusplus
extern "C"
#endif
    int
    other_file_hops(MPI_Comm comm, int a, int b);
int other_file_hops(MPI_Comm comm, int a, int b) { return nestbind_mpi_hops(comm, a, b); }
