// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-planner.so for libnestbind.so. The interface has only C types, and
// no exception crosses it.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"
#include "spec/spec.hpp"

struct nestbind_device;

namespace nestbind {

using mask::CpuMask;

// The planned place of a thread. Valid until the process ends.
struct PlannedPlace {
  CpuMask mask;
  int slot;
  int next_size;  // the specified size of the next team, or 0
  bool pinned;
  int core, l3, package, numa;  // the machine's own numbers, or -1
  int l2 = -1;
  int numa_row = -1;      // the node's index in NodeDistances
  int numa_logical = -1;  // the node's logical index
};

// Distances between NUMA nodes; smaller is nearer. Index a * nodes + b has the distance from node a
// to node b. The table is null if the machine reports no distances, or has more than kMostNodes
// nodes.
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
  CpuMask allowed;     // the process's processors, or no bits for all; the bits must stay valid
  const char* source;  // NESTBIND_MACHINE: XML file or synthetic description; null for this machine
  const char* records;  // NESTBIND_MACHINE_RECORDS, or null
  int smt;              // NESTBIND_SMT; 0 for the number that the sizes need
  int cores;            // NESTBIND_CORES as machine::CoreChoice
  const char* cache;    // NESTBIND_CACHE, or null
  bool probed;          // NESTBIND_MACHINE_DISTANCES=probed
  const char* order;    // NESTBIND_ORDER: a file; null for the plain order
};

struct PlannerMessage {
  char text[1024];
  // These are used only if the result is NESTBIND_OK.
  bool is_fault;   // true if the message is an error, not a warning
  bool is_of_all;  // true if only one rank of a job must print the message
};

struct PlannerDivision {
  int parts = 1;
  int index = 0;           // the part to return
  int slots = 1;           // number of slots that each part needs
  bool needs_all = false;  // whether a part can use more than `slots`
};

struct PlanHandle;

// Slots and the distances between slots. A geometry is never freed.
struct PlannerGeometry {
  const unsigned long* allowed;  // the bits of the mask for which the geometry was made
  const void* made;              // the planner's data
};

struct PlannedSlot {
  static constexpr int kMostLevels = spec::kMaxLevels;
  int depth;  // length of `path`; 0 for the initial thread, or without a thread
  int path[kMostLevels];
  bool has_thread;
  int core, package, numa;  // the machine's own numbers, or -1
  int numa_logical;         // the node's logical index, or -1
};

struct PlannerOccupant {
  const int* path;   // thread numbers, the outermost team first
  int depth;         // length of `path`
  CpuMask cpus;      // where the thread may run
  const char* mark;  // a remark to print, or null
};

struct PlannerCanvas {
  int columns;
  int rows;  // if a picture needs more rows, similar parts are drawn once
  bool has_colour;
  bool is_utf8;
};

// A function with a message parameter returns a nestbind_error, which the message may explain.
// There may be a message even if the result is NESTBIND_OK. Print messages of `make` at once, and
// messages of `team` after the fork. Only find_machine may be called by two threads at a time.
struct PlannerApi {
  // Reads the order and the machine. Later calls do nothing. open() and make() report the errors.
  // Takes the loader's lock. A thread that has the loader's lock must not wait for a lock of the
  // caller.
  void (*find_machine)(const PlannerOptions& options);
  // Prepares the part of the machine that the process may use. Call it before the functions below,
  // and again after this part has changed; earlier plans do not change. A message with NESTBIND_OK
  // is a warning for the user.
  int (*open)(const PlannerOptions& options, PlannerMessage& message);
  // Divides the processors that `options` allow among processes, and returns one part. A message
  // with NESTBIND_OK says that the smallest part has too few slots; only the caller with part 0
  // gets this message. Needs find_machine.
  int (*divide)(const PlannerOptions& options, const spec::Spec& spec,
                const PlannerDivision& division, mask::MaskBuffer& part, PlannerMessage& message);
  // quota: limits symbolic sizes; 0 for no limit.
  int (*make)(const spec::Spec& spec, int quota, PlanHandle** plan, PlannerMessage& message);
  // Makes a plan for the slots of `base`. `spec` replaces the rules of level `level` and of all
  // deeper levels.
  int (*make_from)(PlanHandle* base, int level, const spec::Spec& spec, PlanHandle** plan,
                   PlannerMessage& message);
  // Depth 0 is the initial thread.
  int (*place)(PlanHandle* plan, const PlannerStep* path, int depth, PlannedPlace* place,
               PlannerMessage& message);
  // Plans the team of `size` that the thread at `path` forks, and writes its `size` places.
  int (*team)(PlanHandle* plan, const PlannerStep* path, int depth, int size, PlannedPlace* places,
              PlannerMessage& message);
  // The mask has no bits if there is no memory.
  CpuMask (*partition)(PlanHandle* plan, const PlannerStep* path, int depth);
  CpuMask (*everything)(PlanHandle* plan);
  // The result is never freed.
  NodeDistances (*distances)(PlanHandle* plan);
  // Draws the machine of a plan. Each thread is on the processors in its `cpus`. The caller frees
  // the text. Returns null if there is no memory. May be called at any time.
  char* (*draw)(const PlanHandle* plan, const PlannerOccupant* occupants, int count,
                const PlannerCanvas& canvas);
  // Writes the allowed processors (if the plan is for this machine) and the cores, as members of a
  // JSON object: "allowed": [0, 1], "cores": [{"core": 0, "package": 0, "numa": 0, "cpus": [0]},
  // ...]. Returns a text for free(), or null. May be called at any time.
  char* (*node)(const PlanHandle* plan);
  // May be called at any time.
  bool (*is_probed)(const PlanHandle* plan);
  // Returns the geometry of a plan's slots. If `plan` is null, uses one slot for each core of the
  // machine that open() prepared last. Returns null, with a message, if there is no memory.
  const PlannerGeometry* (*geometry)(PlanHandle* plan, PlannerMessage& message);
  // Returns the slot of the thread at a path of numbers, in teams of the specification's sizes.
  // Returns -1 if the thread does not exist, or has no slot of its own.
  int (*slot_of_path)(PlanHandle* plan, const int* path, int depth);
  // If the slot has several threads, finds the first in path order. If there is no plan, no slot
  // has a thread. If the slot does not exist, returns NESTBIND_BAD_ARGUMENT.
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
  // Finds the nearest devices of a kind (nestbind_devices). If `geometry` is null, they are nearest
  // to `cpus`; without bits, to all processors. If `options` is null, finds nothing unless the
  // machine was read with its devices. Otherwise reads the devices, and takes the loader's lock.
  // Needs find_machine. Any thread may call it at any time.
  int (*devices)(const PlannerOptions* options, int kind, const CpuMask& cpus,
                 const PlannerGeometry* geometry, int slot, nestbind_device* found, int capacity);
};

inline constexpr char kPlannerSymbol[] = "nestbind_planner_11";
inline constexpr char kPlannerFile[] = "libnestbind-planner.so";

}  // namespace nestbind
