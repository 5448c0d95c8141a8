// SPDX-License-Identifier: BSD-3-Clause
// The border between the small library that is in every process and libnestbind-planner.so. The
// planner has the machine and the plan, and is loaded at the first fork. C types, no exceptions.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"
#include "spec/spec.hpp"

namespace nestbind {

using mask::CpuMask;

// The planned place of a thread. Valid until the process ends.
struct PlannedPlace {
  CpuMask mask;  // the thread's planned mask
  int slot;
  int next_size;  // the specified size of the next team; 0: none
  bool pinned;
  int core, l3, package, numa;  // the machine's own numbers; -1: none
  int l2 = -1;                  // the machine's own number; -1: none
  int numa_row = -1;            // the node's index in NodeDistances
  int numa_logical = -1;        // the node's logical index
};

// Reported distances between NUMA nodes; smaller is nearer. The distance from node a to node b is
// at [a * nodes + b]. The table is null if the machine reports no distances, or has more than
// kMostNodes nodes.
struct NodeDistances {
  static constexpr int kMostNodes = 256;
  const unsigned char* table = nullptr;
  int nodes = 0;
};

struct PlannerStep {
  int number;
  int size;
};

struct PlannerOptions {
  CpuMask allowed;      // the process's processors; the bits stay at this address; no bits: all
  const char* source;   // NESTBIND_MACHINE: XML file or synthetic description; null: this machine
  const char* records;  // NESTBIND_MACHINE_RECORDS; null: not set
  int smt;              // NESTBIND_SMT; 0: as many as the sizes need
  int cores;            // NESTBIND_CORES as machine::CoreChoice
  const char* cache;    // NESTBIND_CACHE; null: not set
  bool probed;          // NESTBIND_MACHINE_DISTANCES=probed
  const char* order;    // NESTBIND_ORDER: a file; null: the plain order
};

struct PlannerMessage {
  char text[1024];
  bool is_fault;   // with NESTBIND_OK: the user asked for something impossible
  bool is_of_all;  // with NESTBIND_OK: only one rank of a job reports the message
};

// How processes divide the processors that all of them may use.
struct PlannerDivision {
  int parts = 1;
  int index = 0;           // the wanted part
  int slots = 1;           // the number of slots that each part needs
  bool needs_all = false;  // each part can use more slots than `slots`
};

struct PlanHandle;  // a plan in force

// The geometry between the slots of a plan, or of a machine without a plan. Never freed.
struct PlannerGeometry {
  const unsigned long* allowed;  // the bits of the mask for which the geometry was made
  const void* made;              // for the planner only
};

// A slot, and the thread that the plan puts there.
struct PlannedSlot {
  static constexpr int kMostLevels = spec::kMaxLevels;
  int depth;  // length of `path`; 0: the initial thread, or no thread
  int path[kMostLevels];
  bool has_thread;
  int core, package, numa;  // the machine's own numbers; -1: none
  int numa_logical;         // the node's logical index; -1: none
};

// A thread in a picture.
struct PlannerOccupant {
  const int* path;  // thread numbers from the outermost team on, `depth` of them
  int depth;
  CpuMask cpus;      // where it may run
  const char* mark;  // a remark to print; null: none
};

// The terminal or file for a picture.
struct PlannerCanvas {
  int columns;
  int rows;  // a longer picture is shortened: similar parts are folded
  bool has_colour;
  bool is_utf8;
};

// Functions with a message return a nestbind_error, which the message may explain. If `team`
// returns NESTBIND_OK and a message, the message warns of shared slots: print it after such a team
// was forked. Print a message of `make` at once: the plan cannot use all of the order, or has more
// threads than the quota lets run. Only find_machine may be called by two threads at a time.
struct PlannerApi {
  // The first call reads the order, and reads the machine or takes it from a cache. open() reports
  // an error of the machine, and make() a fault in the order. Takes the loader's lock: do not hold
  // a lock for which a thread with the loader's lock may wait.
  void (*find_machine)(const PlannerOptions& options);
  // Takes the part of the found machine that the process may use. Call it before the functions
  // below, and again after that part has changed; earlier plans do not change. At the first call, a
  // message with NESTBIND_OK is a warning for the user.
  int (*open)(const PlannerOptions& options, PlannerMessage& message);
  // Divides the processors that `options` allow, and returns one part. Each part is for the threads
  // of a process that has this specification. A message with NESTBIND_OK says that the smallest
  // part has too few slots; only the caller with part 0 gets this message. Needs find_machine.
  int (*divide)(const PlannerOptions& options, const spec::Spec& spec,
                const PlannerDivision& division, mask::MaskBuffer& part, PlannerMessage& message);
  // Makes the plan of a specification. quota: limits sizes that are words; 0: none.
  int (*make)(const spec::Spec& spec, int quota, PlanHandle** plan, PlannerMessage& message);
  // Makes a plan by `base` above `level`, and by `spec` from `level` on, on the slots of `base`.
  int (*make_from)(PlanHandle* base, int level, const spec::Spec& spec, PlanHandle** plan,
                   PlannerMessage& message);
  // The place of the thread at a path of `depth` steps; depth 0 is the initial thread.
  int (*place)(PlanHandle* plan, const PlannerStep* path, int depth, PlannedPlace* place,
               PlannerMessage& message);
  // The team of `size` that the thread at `path` forks. Writes `size` places.
  int (*team)(PlanHandle* plan, const PlannerStep* path, int depth, int size, PlannedPlace* places,
              PlannerMessage& message);
  // The processors of all slots that the thread at a path has for itself and its descendants; no
  // bits: there is no memory. Arguments as for `place`.
  CpuMask (*partition)(PlanHandle* plan, const PlannerStep* path, int depth);
  // The processors of all slots of the plan; no bits: there is no memory.
  CpuMask (*everything)(PlanHandle* plan);
  // The distances on a plan's machine, valid until the process ends. No table: there is no memory.
  NodeDistances (*distances)(PlanHandle* plan);
  // Draws the machine of a plan, with threads where they may run. A primary thread of an inner team
  // may appear more than once in `occupants`. Returns a text for free(); null: there is no memory.
  // Unlike the functions above it may be called at any time, because it reads only constant data.
  char* (*draw)(const PlanHandle* plan, const PlannerOccupant* occupants, int count,
                const PlannerCanvas& canvas);
  // The processors that the process may use (if the plan is for this machine), and the cores, as
  // members of a JSON object: "allowed": [0, 1], "cores": [{"core": 0, "package": 0, "numa": 0,
  // "cpus": [0]}, ...]. Returns a text for free(); null: no memory. May be called at any time.
  char* (*node)(const PlanHandle* plan);
  // Whether measured distances are in force on a plan's machine. May be called at any time.
  bool (*is_probed)(const PlanHandle* plan);
  // The slots of a plan, or, if `plan` is null, the slots of the last opened machine for one
  // thread. Returns null, with a message, if there is no memory.
  const PlannerGeometry* (*geometry)(PlanHandle* plan, PlannerMessage& message);
  // The slot of the thread at a path of numbers, in teams of the specification's sizes; -1: the
  // thread has no slot of its own, or does not exist.
  int (*slot_of_path)(PlanHandle* plan, const int* path, int depth);
  // The thread that the plan puts on a slot: on the deepest level the first in path order; none if
  // `plan` is null. If there is no such slot, returns NESTBIND_BAD_ARGUMENT.
  int (*at_slot)(PlanHandle* plan, const PlannerGeometry* geometry, int slot, PlannedSlot* found);
  // The functions of nestbind/topology.h with these names. Any thread may call them at any time.
  int (*slots)(const PlannerGeometry* geometry);
  int (*dims)(const PlannerGeometry* geometry, int* sizes, int capacity);
  int (*coordinates)(const PlannerGeometry* geometry, int slot, int* coordinates, int capacity);
  int (*slot)(const PlannerGeometry* geometry, const int* coordinates, int count);
  int (*hops)(const PlannerGeometry* geometry, int a, int b);
  int (*levels)(const PlannerGeometry* geometry, int a, int b);
  double (*distance)(const PlannerGeometry* geometry, int from, int to);
  double (*numa_factor)(const PlannerGeometry* geometry, int from, int to);
  int (*sort)(const PlannerGeometry* geometry, int root, const int* slots, int count, int* order);
  int (*closest)(const PlannerGeometry* geometry, int root, const int* slots, int count);
};

// Exported by libnestbind-planner.so.
inline constexpr char kPlannerSymbol[] = "nestbind_planner_10";
inline constexpr char kPlannerFile[] = "libnestbind-planner.so";

}  // namespace nestbind
