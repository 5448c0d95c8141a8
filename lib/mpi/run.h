/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens after MPI_Init and before MPI_Finalize. */
#pragma once

/* result: of MPI_Init. Returns it. */
int nestbind_begin(int result);
void nestbind_end(void);
