/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of nestbind/mpi.h for the Fortran module in nestbind_mpi_balance.f90. Compile this
 * file with the program's own MPI compiler for C. */
#include <nestbind/mpi.h>

struct nestbind_mpi_balancer *nestbind_mpi_balancer_f_(
    const MPI_Fint *comm, const struct nestbind_mpi_balance_options *options) {
  return nestbind_mpi_balancer(MPI_Comm_f2c(*comm), options);
}
void nestbind_mpi_balancer_free_f_(struct nestbind_mpi_balancer *balancer) {
  nestbind_mpi_balancer_free(balancer);
}
int nestbind_mpi_load_f_(struct nestbind_mpi_balancer *balancer, long long id, double seconds,
                         double bytes) {
  return nestbind_mpi_load(balancer, id, seconds, bytes);
}
int nestbind_mpi_load_of_region_f_(struct nestbind_mpi_balancer *balancer, long long id,
                                   double bytes) {
  return nestbind_mpi_load_of_region(balancer, id, bytes);
}
int nestbind_mpi_messages_f_(struct nestbind_mpi_balancer *balancer, long long id, long long other,
                             double count) {
  return nestbind_mpi_messages(balancer, id, other, count);
}
int nestbind_mpi_balance_f_(struct nestbind_mpi_balancer *balancer, double remaining_steps,
                            const struct nestbind_balance_move **moves) {
  return nestbind_mpi_balance(balancer, remaining_steps, moves);
}
int nestbind_mpi_balance_report_f_(const struct nestbind_mpi_balancer *balancer,
                                   struct nestbind_across_report *report) {
  return nestbind_mpi_balance_report(balancer, report);
}
