// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/mpi_library.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace nestbind::cli;

TEST_CASE("the family of an MPI library is known by its name") {
  for (const char* name : {"libmpi.so.40", "/opt/openmpi-5/lib/libmpi.so.40", "libmpi.so.20",
                           "libmpi_mpifh.so.40", "libmpi_usempif08.so.40"}) {
    INFO(name);
    CHECK(mpi_family_of(name) == MpiFamily::kOpenMpi);
  }
  // MPICH, Debian's MPICH, Intel MPI, Cray MPICH.
  for (const char* name : {"libmpi.so.12", "libmpich.so.12", "libmpichfort.so.12",
                           "/opt/intel/lib/libmpi.so.12.0.0", "libmpi_gnu_91.so.12"}) {
    INFO(name);
    CHECK(mpi_family_of(name) == MpiFamily::kMpich);
  }
  for (const char* name : {"libc.so.6", "libmpi_abi.so.1", "libopen-rte.so.40", "mpi", ""}) {
    INFO(name);
    CHECK(mpi_family_of(name) == MpiFamily::kNone);
  }
}

TEST_CASE("if no library is linked, the variable and then the launcher say the family") {
  const auto chosen = [](const char* said) { return choose_mpi("", {}, said); };
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    unsetenv(name);
  }
  CHECK(chosen("").family == MpiFamily::kNone);
  CHECK(chosen("openmpi").family == MpiFamily::kOpenMpi);
  CHECK(chosen("mpich").family == MpiFamily::kMpich);
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", "0", 1);
  CHECK(chosen("").family == MpiFamily::kOpenMpi);
  CHECK(chosen("mpich").family == MpiFamily::kMpich);
  unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
  setenv("MPI_LOCALRANKID", "0", 1);
  CHECK(chosen("").family == MpiFamily::kMpich);
  unsetenv("MPI_LOCALRANKID");
}
