// SPDX-License-Identifier: BSD-3-Clause
// The border between the small library that is in every process and libnestbind-planner.so, which
// has the machine and the plan, and is loaded at the first fork. C types only; no exception crosses
// it.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"
#include "spec/spec.hpp"

namespace nestbind {

using mask::CpuMask;

// A thread's place, as planned. Valid until the process ends.
struct PlannedPlace {
  CpuMask mask;  // what the thread is bound to
  int slot;
  int next_size;  // of the next team, by the specification; 0: it has none, or is beyond it
  bool pinned;
  int core, l3, package, numa;  // the machine's own numbers; -1: none
  int l2 = -1;                  // likewise
  int numa_row = -1;            // of that node in NodeDistances
  int numa_logical = -1;        // its logical index
};

// Between NUMA nodes, as the machine reports it, smaller is nearer: from node a to node b at
// [a * nodes + b]. No table where it does not, or has more than kMostNodes.
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
  CpuMask allowed;      // what the process may use; it stays where it is; no bits: all of a source
  const char* source;   // NESTBIND_MACHINE: XML file or synthetic description; null: this machine
  const char* records;  // NESTBIND_MACHINE_RECORDS; null: not set
  int smt;              // NESTBIND_SMT; 0: as wanted
  int cores;            // NESTBIND_CORES as machine::CoreChoice
  const char* cache;    // NESTBIND_CACHE; null: not set
  bool probed;          // NESTBIND_MACHINE_DISTANCES=probed
  const char* order;    // NESTBIND_ORDER: a file; null: the plain order
};

struct PlannerMessage {
  char text[1024];
  bool is_fault;   // of a message with NESTBIND_OK: what the user has asked for cannot be done
  bool is_of_all;  // likewise: one of the ranks of a job tells it
};

// How processes divide what all of them may use.
struct PlannerDivision {
  int parts = 1;
  int index = 0;           // of the part that is wanted
  int slots = 1;           // that each needs
  bool needs_all = false;  // or more, as many as there are
};

struct PlanHandle;  // a plan in force

// What lies between the slots of a plan, or, without one, of the machine. There for good.
struct PlannerGeometry {
  const unsigned long* allowed;  // of the mask that it was made for
  const void* made;              // the planner's own
};

// Who the plan puts on a slot, and where that is.
struct PlannedSlot {
  static constexpr int kMostLevels = spec::kMaxLevels;
  int depth;  // numbers in path; 0: nobody but the initial thread
  int path[kMostLevels];
  bool has_thread;
  int core, package, numa;  // the machine's own numbers; -1: none
  int numa_logical;         // likewise
};

// A thread in a picture.
struct PlannerOccupant {
  const int* path;  // thread numbers from the outermost team on, `depth` of them
  int depth;
  CpuMask cpus;      // where it may run
  const char* mark;  // what is to be said of it; null: nothing
};

// What a picture is drawn for.
struct PlannerCanvas {
  int columns;
  int rows;  // where it would be longer, what is alike is folded
  bool has_colour;
  bool is_utf8;
};

// Functions with a message return a nestbind_error, and the message says more, where it can. With
// NESTBIND_OK a message of `team` is a warning for the user, once such a team has forked: threads
// share slots; and one of `make` is to be told at once: the order cannot be followed, or not
// wholly, or there are more threads than the quota lets run. They are not to be called from two
// threads at a time, except find_machine.
struct PlannerApi {
  // Reads the machine, or adopts it from a cache, unless that is done. Takes the loader's lock: not
  // to be called under one that a thread may wait for while it holds the loader's. A fault is kept
  // for open. The order is read here, too, and a fault in it kept for make.
  void (*find_machine)(const PlannerOptions& options);
  // Takes the machine that was found, and what the process may use of it. Called before those that
  // follow, and again when that has changed: plans that were made before stay as they are. With
  // NESTBIND_OK a message is a warning for the user, the first time.
  int (*open)(const PlannerOptions& options, PlannerMessage& message);
  // Writes the processors of a part of what `options` allow: a division for threads of processes
  // that each have this specification. With NESTBIND_OK a message says that the smallest part has
  // too few slots for it; to who asks for part 0 only. Needs find_machine alone.
  int (*divide)(const PlannerOptions& options, const spec::Spec& spec,
                const PlannerDivision& division, mask::MaskBuffer& part, PlannerMessage& message);
  // Makes the plan of a specification. quota: of threads in sizes that are words; 0: none.
  int (*make)(const spec::Spec& spec, int quota, PlanHandle** plan, PlannerMessage& message);
  // Makes the plan that is `base` above `level` and `spec` from there on, on the slots of `base`.
  int (*make_from)(PlanHandle* base, int level, const spec::Spec& spec, PlanHandle** plan,
                   PlannerMessage& message);
  // The place of the thread at a path of `depth` steps; depth 0 is the initial thread.
  int (*place)(PlanHandle* plan, const PlannerStep* path, int depth, PlannedPlace* place,
               PlannerMessage& message);
  // The team of `size` that this thread forks: `size` places are written.
  int (*team)(PlanHandle* plan, const PlannerStep* path, int depth, int size, PlannedPlace* places,
              PlannerMessage& message);
  // The processors of all slots that the thread at a path has for itself and its descendants; no
  // bits where there is no memory for them. As `place` otherwise.
  CpuMask (*partition)(PlanHandle* plan, const PlannerStep* path, int depth);
  // The processors of all slots of the plan; no bits where there is no memory for them.
  CpuMask (*everything)(PlanHandle* plan);
  // The distances on the machine of a plan, for as long as the process lives. No table where there
  // is no memory for it.
  NodeDistances (*distances)(PlanHandle* plan);
  // Draws the machine of a plan, and who may run where on it. A thread that leads an inner team may
  // be among them more than once. Returns a text for free(), null without memory. Unlike the others
  // it may be called at any time: it reads only what stays as it is.
  char* (*draw)(const PlanHandle* plan, const PlannerOccupant* occupants, int count,
                const PlannerCanvas& canvas);
  // What the process may use of the machine of a plan, where it is this one, and its cores, as
  // members of an object of JSON: "allowed": [0, 1], "cores": [{"core": 0, "package": 0, "numa": 0,
  // "cpus": [0]}, ...]. Returns a text for free(), null without memory. At any time, as `draw`.
  char* (*node)(const PlanHandle* plan);
  // Whether distances that were measured count on the machine of a plan. At any time, as `draw`.
  bool (*is_probed)(const PlanHandle* plan);
  // The slots of a plan; without one (null), those that the machine which was opened last has for
  // one thread. Null, with a message, without memory.
  const PlannerGeometry* (*geometry)(PlanHandle* plan, PlannerMessage& message);
  // The slot of the thread at a path of numbers in teams of the specification's sizes; -1: it has
  // none of its own, or there is no such thread.
  int (*slot_of_path)(PlanHandle* plan, const int* path, int depth);
  // Who is first, in path order, of those whom the plan puts on a slot, on the deepest level that
  // has one there. plan null: nobody. NESTBIND_BAD_ARGUMENT: there is no such slot.
  int (*at_slot)(PlanHandle* plan, const PlannerGeometry* geometry, int slot, PlannedSlot* found);
  // What nestbind/topology.h says of the functions with these names, of one geometry; at any time,
  // from any thread.
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
