// SPDX-License-Identifier: BSD-3-Clause
// Which of nestbind's libraries for MPI (lib/mpi) a program needs.
#pragma once

#include <string>
#include <string_view>

#include "cli/inspect/elf.hpp"

namespace nestbind::cli {

enum class MpiFamily { kNone, kOpenMpi, kMpich };

// The family of an MPI library's file name, such as libmpi.so.40.
MpiFamily mpi_family_of(std::string_view library);

struct MpiChoice {
  MpiFamily family = MpiFamily::kNone;
  std::string library;  // of MPI, which the program links; empty if it links none
  std::string by;       // who says it if the program links none
};

// The first of these that is known: what the program links; `said`, the value of NESTBIND_MPI; the
// launcher's variables. path: empty if there is no program.
MpiChoice choose_mpi(const std::string& path, const inspect::ElfFile& file, std::string_view said);

const char* name_of(MpiFamily family);

// Returns the path of nestbind's library for a family, or "" if it was not built. own: the path of
// libnestbind.so.
std::string mpi_module(MpiFamily family, const std::string& own);

struct MpiWish {
  bool reorders = false;
  std::string traffic;  // a folder; may be empty
};

// Sets the variables for a program: preloads nestbind's library, or lets Open MPI count. One rank
// says what is missing. Returns false after a message if the folder cannot be made.
bool prepare_mpi(const MpiWish& wish, const MpiChoice& choice, const std::string& own);

// The variables of Open MPI that prepare_mpi sets.
inline constexpr const char* kMonitoring[] = {"OMPI_MCA_pml_monitoring_enable",
                                              "OMPI_MCA_pml_monitoring_enable_output",
                                              "OMPI_MCA_pml_monitoring_filename"};

}  // namespace nestbind::cli
