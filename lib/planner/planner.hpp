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
  int next_size;  // of the next team, by the specification; 0: beyond it
  bool pinned;
  int core, l3, package, numa;  // the machine's own numbers; -1: none
  int l2 = -1;                  // likewise
  int numa_row = -1;            // of that node in NodeDistances
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
  CpuMask allowed;     // the process's mask, which stays where it is; not used with a source
  const char* source;  // NESTBIND_MACHINE: XML file or synthetic description; null: this machine
  int smt;             // NESTBIND_SMT; 0: as wanted
  int cores;           // NESTBIND_CORES as machine::CoreChoice
  const char* cache;   // NESTBIND_CACHE; null: not set
  const char* order;   // NESTBIND_ORDER: a file; null: the plain order
};

struct PlannerMessage {
  char text[1024];
  bool is_fault;  // of a message with NESTBIND_OK: what the user has asked for cannot be done
};

struct PlanHandle;  // a plan in force

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
// wholly. They are not to be called from two threads at a time, except find_machine.
struct PlannerApi {
  // Reads the machine, or adopts it from a cache, unless that is done. Takes the loader's lock: not
  // to be called under one that a thread may wait for while it holds the loader's. A fault is kept
  // for open. The order is read here, too, and a fault in it kept for make.
  void (*find_machine)(const PlannerOptions& options);
  // Takes the machine that was found, and what the process may use of it. Called before those that
  // follow, and again when that has changed: plans that were made before stay as they are.
  int (*open)(const PlannerOptions& options, PlannerMessage& message);
  // Makes the plan of a specification.
  int (*make)(const spec::Spec& spec, PlanHandle** plan, PlannerMessage& message);
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
  CpuMask (*share)(PlanHandle* plan, const PlannerStep* path, int depth);
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
};

// Exported by libnestbind-planner.so.
inline constexpr char kPlannerSymbol[] = "nestbind_planner_6";
inline constexpr char kPlannerFile[] = "libnestbind-planner.so";

}  // namespace nestbind
