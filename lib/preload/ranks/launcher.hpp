// SPDX-License-Identifier: BSD-3-Clause
// What launchers of parallel jobs tell each of their processes: one table. Variables are looked up
// by the caller: `value(NAME)` is the text of one, null where it is not set or empty.
#pragma once

namespace nestbind::ranks {

// Arrays, so that the loader has nothing to fill in. Empty: the launcher has none.
struct Launcher {
  char name[12];     // for people
  char rank[28];     // the variable with the number in the job
  char local[28];    // with the number among the ranks of the node, from 0
  char size[28];     // with how many these are
  char node[28];     // where that is a list for all nodes: with the number of this one
  char needs[28];    // without this variable a process is no rank
  char job[28];      // with the name of the job; without, its launcher's process stands for it
  char unbound[32];  // for people: how it is told to bind nothing
  // With the numbers in the job of this node's ranks, with commas, if the launcher sets that also
  // for who is none and may have the other variables of where it was submitted.
  char all[28] = "";
};

// The innermost first: who starts another's ranks leaves its own variables to them. A batch script
// of Slurm has a local number too, and is no rank: nor is one that a rank has submitted, which has
// that one's step and number of ranks.
inline constexpr Launcher kLaunchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "", "", "PMIX_NAMESPACE", "mpirun --bind-to none"},
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

// Of those that are told by a process manager, whoever is the launcher.
inline constexpr char kAnyRank[] = "PMIX_RANK";

// A number without sign or blanks, at most kMostNumber; -1 where a text is none. Null is none.
inline constexpr int kMostNumber = 1000000;
int number_in(const char* text);

// How many tasks the node of this number (from 0) has, in Slurm's list of all nodes, such as
// "2(x3),1": 2 on nodes 0 to 2, and 1 on node 3. 0 where the text is no such list, or has fewer.
int tasks_on(const char* text, int node);

// How many entries a list with commas has.
int entries_in(const char* list);

// A process among the ranks of its node.
struct Told {
  const Launcher* by = nullptr;  // null: no launcher is known, or it is none of its ranks
  int local = 0;
  int of = 0;  // 0: not told
};

// How many ranks there are, as a launcher says; 0, or less: it does not.
template <typename Value>
int size_in(const Launcher& launcher, Value value) {
  const char* const size = launcher.size[0] == '\0' ? nullptr : value(launcher.size);
  return launcher.node[0] == '\0' ? number_in(size)
                                  : tasks_on(size, number_in(value(launcher.node)));
}

// Whether a launcher says that the process is a rank.
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

// Who says that the process is a rank; null: nobody.
template <typename Value>
const Launcher* launcher_in(Value value) {
  for (const Launcher& launcher : kLaunchers) {
    if (is_rank_of(launcher, value)) {
      return &launcher;
    }
  }
  return nullptr;
}

// What it says. A local number that is none, or not below their number, is not told.
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

// The number in the job of a process that a launcher has started which is not in the table, as far
// as can be seen; null of others. A batch script of Slurm has a number, too.
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

// The number in the job, as a text of the launcher's; null where nobody tells it.
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
