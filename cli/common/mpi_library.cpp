// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/mpi_library.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/common/preload.hpp"
#include "cli/common/say.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/text.hpp"
#include "options/said_sizes.hpp"
#include "ranks/launcher.hpp"

namespace nestbind::cli {

namespace {

MpiFamily family_of_launcher(std::string_view name) {
  const bool is_mpich =
      name == "Intel MPI" || name == "MPICH" || name == "MVAPICH" || name == "PALS";
  return name == "Open MPI" ? MpiFamily::kOpenMpi : is_mpich ? MpiFamily::kMpich : MpiFamily::kNone;
}

// True for one process of a job, and for a process that is no rank.
bool is_first_rank() {
  const char* const rank = ranks::rank_in(options::variable);
  return rank == nullptr || std::string_view(rank) == "0";
}

bool make_folder(const std::string& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault || access(folder.c_str(), W_OK) != 0) {
    say("--traffic {}: the folder cannot be made or written", folder);
    return false;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    if (is_first_rank() && entry.path().extension() == ".prof") {
      warn(
          "--traffic {}: the folder has files of an earlier run, which nestbind map may count, too",
          folder);
      break;
    }
  }
  return true;
}

}  // namespace

// Cray's and Intel's libraries have MPICH's names and number: libmpi_gnu_91.so.12, libmpi.so.12.
MpiFamily mpi_family_of(std::string_view library) {
  library.remove_prefix(library.rfind('/') + 1);
  if (!library.starts_with("libmpi")) {
    return MpiFamily::kNone;
  }
  const bool is_numbered_12 =
      library.ends_with(".so.12") || library.find(".so.12.") != library.npos;
  const bool has_open_mpis_name = library.starts_with("libmpi.so.") ||
                                  library.starts_with("libmpi_mpifh") ||
                                  library.starts_with("libmpi_usempi");
  return library.starts_with("libmpich") || is_numbered_12 ? MpiFamily::kMpich
         : has_open_mpis_name                              ? MpiFamily::kOpenMpi
                                                           : MpiFamily::kNone;
}

MpiChoice choose_mpi(const std::string& path, const inspect::ElfFile& file, std::string_view said) {
  if (!path.empty() && file.kind == inspect::ElfFile::Kind::kElf) {
    for (const auto& one : list_libraries(path, file, inspect::own_loader_variables()).libraries) {
      if (const MpiFamily family = mpi_family_of(one.name); family != MpiFamily::kNone) {
        return {family, one.name, ""};
      }
    }
  }
  if (!said.empty()) {
    return {said == name_of(MpiFamily::kOpenMpi) ? MpiFamily::kOpenMpi : MpiFamily::kMpich, "",
            "NESTBIND_MPI"};
  }
  const ranks::Launcher* const launcher = ranks::launcher_in(options::variable);
  const MpiFamily family =
      launcher == nullptr ? MpiFamily::kNone : family_of_launcher(launcher->name);
  return {family, "",
          family == MpiFamily::kNone ? "" : std::string(launcher->name) + "'s launcher"};
}

const char* name_of(MpiFamily family) {
  return family == MpiFamily::kOpenMpi ? "openmpi" : family == MpiFamily::kMpich ? "mpich" : "none";
}

std::string mpi_module(MpiFamily family, const std::string& own) {
  const std::string path = std::filesystem::path(own).parent_path().string() + "/" +
                           NESTBIND_PLANNER_SUBDIR + "/" + std::string(support::kMpiLibraryFile) +
                           name_of(family) + ".so";
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

bool prepare_mpi(const MpiWish& wish, const MpiChoice& choice, const std::string& own) {
  if (!wish.reorders && wish.traffic.empty()) {
    return true;
  }
  const char* const option = wish.reorders ? "--reorder" : "--traffic";
  const std::string module = mpi_module(choice.family, own);
  const bool counts_itself = choice.family == MpiFamily::kOpenMpi;
  if (choice.family == MpiFamily::kNone) {
    if (is_first_rank()) {
      warn(
          "{} has no effect: the program links no MPI library; a launcher stands before nestbind "
          "(mpirun nestbind run ...), and NESTBIND_MPI=openmpi or mpich says which library a "
          "program loads later",
          option);
    }
    return true;
  }
  if (module.empty() && (wish.reorders || !counts_itself) && is_first_rank()) {
    warn("{} has no effect: this nestbind was built without {}{}.so", option,
         support::kMpiLibraryFile, name_of(choice.family));
  }
  if (choice.library.empty() && is_first_rank()) {
    remark("the program links no MPI library; {} says {}", choice.by, name_of(choice.family));
  }
  if (!wish.traffic.empty() && !make_folder(wish.traffic)) {
    return false;
  }
  if (!wish.traffic.empty() && counts_itself) {
    setenv(kMonitoring[0], "2", 1);  // the program's own messages apart from the library's
    setenv(kMonitoring[1], "3", 1);  // each rank writes a file
    setenv(kMonitoring[2], (wish.traffic + "/traffic").c_str(), 1);
  }
  if (!module.empty() && (wish.reorders || !counts_itself)) {
    const std::string before = inspect::variable("LD_PRELOAD");
    setenv("LD_PRELOAD", (before.empty() ? module : before + ":" + module).c_str(), 1);
  }
  return true;
}

}  // namespace nestbind::cli
