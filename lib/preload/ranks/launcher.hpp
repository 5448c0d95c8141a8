// SPDX-License-Identifier: BSD-3-Clause
// One table of the variables that launchers of parallel jobs set for their processes. The caller
// reads variables: `value(NAME)` returns the text of a variable, or null if it is not set or empty.
#pragma once

namespace nestbind::ranks {

// The texts are arrays, so that the loader has no pointers to relocate. The members from `rank` to
// `job` are names of variables. A name is empty if the launcher sets no such variable.
struct Launcher {
  char name[12];
  char rank[28];     // number in the job
  char local[28];    // number among the node's ranks, from 0
  char size[28];     // number of the node's ranks
  char node[28];     // number of this node in the list of `size`
  char needs[28];    // without this variable a process is not a rank
  char job[28];      // name of the job
  char unbound[32];  // the option that turns binding off
  // Variable: the numbers of this node's ranks in the job, for example "4,5,6". A batch script also
  // has this variable. If a rank has submitted the script, the script inherits the rank's other
  // variables. Then the length of this list can differ from `size`.
  char all[28] = "";
};

// The innermost launcher comes first, because ranks inherit an outer launcher's variables.
inline constexpr Launcher kLaunchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "", "", "PMIX_NAMESPACE", "mpirun --bind-to none"},
    {"Intel MPI", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "", "I_MPI_HYDRA_UUID", "",
     "I_MPI_PIN=off"},
    {"MPICH", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "", "", "",
     "mpiexec -bind-to none"},
    {"MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE", "",
     "", "", "MV2_ENABLE_AFFINITY=0"},
    {"PALS", "PALS_RANKID", "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE", "", "", "PALS_APID",
     "mpiexec --cpu-bind none"},
    {"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE", "", "",
     "PMIX_NAMESPACE", "jsrun --bind none"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_TASK_LOCAL_ID", "", "", "", "FLUX_JOB_ID",
     "flux run -o cpu-affinity=off"},
    {"Slurm", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_NODEID",
     "SLURM_STEP_ID", "SLURM_JOB_ID", "srun --cpu-bind=none", "SLURM_GTIDS"},
};

// Process managers set this variable to the rank's number in the job, under any launcher.
inline constexpr char kAnyRank[] = "PMIX_RANK";

// Returns the number in a text. Returns -1 if the text is null, is no number, or is above
// kMostNumber.
inline constexpr int kMostNumber = 1000000;
int number_in(const char* text);

// Reads Slurm's list of tasks. For example, "2(x3),1" means 2 tasks on each of nodes 0 to 2, and 1
// task on node 3.
int tasks_on(const char* text, int node);

int entries_in(const char* list);

struct Told {
  const Launcher* by = nullptr;  // null: no launcher is known, or the process is not a rank
  int local = 0;
  int of = 0;  // 0: not known
};

// Returns the number of the node's ranks. The result is 0 or less if the number is not known.
template <typename Value>
int size_in(const Launcher& launcher, Value value) {
  const char* const size = launcher.size[0] == '\0' ? nullptr : value(launcher.size);
  return launcher.node[0] == '\0' ? number_in(size)
                                  : tasks_on(size, number_in(value(launcher.node)));
}

template <typename Value>
bool is_rank_of(const Launcher& launcher, Value value) {
  if (value(launcher.local) == nullptr ||
      (launcher.needs[0] != '\0' && value(launcher.needs) == nullptr)) {
    return false;
  }
  const char* const all = launcher.all[0] == '\0' ? nullptr : value(launcher.all);
  const int size = all == nullptr ? 0 : size_in(launcher, value);
  return size <= 0 || size == entries_in(all);
}

template <typename Value>
const Launcher* launcher_in(Value value) {
  for (const Launcher& launcher : kLaunchers) {
    if (is_rank_of(launcher, value)) {
      return &launcher;
    }
  }
  return nullptr;
}

// Returns the launcher's numbers. If the local number is not below the number of ranks, both
// numbers are 0.
template <typename Value>
Told told_in(Value value) {
  Told told;
  told.by = launcher_in(value);
  if (told.by == nullptr) {
    return told;
  }
  const int local = number_in(value(told.by->local));
  const int of = size_in(*told.by, value);
  if (local >= 0 && local < of) {
    told.local = local;
    told.of = of;
  }
  return told;
}

// Returns the rank's number in the job under a launcher outside the table, or null if no variable
// has it. Ignores Slurm's variables, because batch scripts have them, too.
template <typename Value>
const char* rank_of_unknown(Value value) {
  if (launcher_in(value) != nullptr) {
    return nullptr;
  }
  const char* rank = value(kAnyRank);
  for (const Launcher& launcher : kLaunchers) {
    rank = rank == nullptr && launcher.needs[0] == '\0' ? value(launcher.rank) : rank;
  }
  return rank;
}

template <typename Value>
const char* rank_in(Value value) {
  const Launcher* const by = launcher_in(value);
  const char* rank = by == nullptr ? nullptr : value(by->rank);
  rank = rank == nullptr ? value(kAnyRank) : rank;
  for (const Launcher& launcher : kLaunchers) {
    rank = rank == nullptr ? value(launcher.rank) : rank;
  }
  return rank;
}

}  // namespace nestbind::ranks
