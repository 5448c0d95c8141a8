# SPDX-License-Identifier: BSD-3-Clause
"""Who may know whom, and what is let through with its reason. One table, for includes and for symbols."""

import dataclasses
import pathlib

# What everything may use.
FOR_ALL = ["lib/support", "lib/mask"]

# What a source of forks sees: the doors of placement and omp.
DOORS = ["lib/placement/fork.hpp", "lib/omp/runtimes.hpp", "lib/omp/sizes.hpp", "lib/process/armed.hpp",
         "lib/process/original_mask.hpp", "lib/interpose"]

# For each folder the folders that it may know, besides its own and FOR_ALL. A header in place of a
# folder: this header, and what the source file of its name defines; a source file: what it defines.
ROOMS = {
    "lib/support": [],
    "lib/mask": ["lib/support"],
    "lib/spec": [],
    "lib/options": [],
    "lib/machine": [],
    "lib/machine/cache": ["lib/machine"],
    "lib/machine/hwloc": ["lib/machine", "lib/machine/cache/record.hpp"],
    "lib/machine/loading": ["lib/machine", "lib/machine/cache", "lib/machine/hwloc/border.hpp"],
    "lib/plan": ["lib/spec", "lib/machine"],
    "lib/planner": ["lib/plan", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading"],
    "lib/show": ["lib/plan", "lib/spec", "lib/machine"],
    "lib/process": ["lib/options"],
    "lib/workers": [],
    "lib/interpose": [],
    "lib/omp": ["lib/process", "lib/options", "lib/interpose"],
    "lib/binding": ["lib/process", "lib/options", "lib/interpose", "lib/workers"],
    "lib/observe": ["lib/process", "lib/options", "lib/planner/planner.hpp"],
    "lib/placement": ["lib/omp", "lib/binding", "lib/observe", "lib/workers", "lib/spec", "lib/interpose",
                      "lib/process", "lib/options", "lib/planner/planner.hpp"],
    "lib/api": ["lib/placement", "lib/spec"],
    "instrument/gomp": DOORS,
    "instrument/ompt": DOORS,
    "instrument/pomp": DOORS,
    "instrument/libc": [*DOORS, "lib/binding", "lib/workers"],
    "instrument/pomp-library": ["instrument/pomp/hooks.hpp", "instrument/pomp/next.hpp"],
    "cli": ["cli/inspect", "lib/spec", "lib/machine", "lib/machine/loading", "lib/machine/hwloc/border.hpp", "lib/plan",
            "lib/show", "lib/options"],
    "cli/inspect": [],
}

# Until lib/runtime is taken apart.
UNTIL_THEN = {
    "lib/variables": [],
    "lib/runtime": ["lib/spec", "lib/options", "lib/plan/planner.hpp", "lib/planner/planner.hpp", "lib/interpose",
                    "lib/workers", "lib/variables"],
    "lib/machine/apart": ["lib/machine", "lib/machine/cache"],
    "lib/plan": ["lib/machine/apart/find.hpp"],
    "lib/api": ["lib/runtime/specification.hpp"],
    "instrument/gomp": ["lib/runtime/fork.hpp"],
    "instrument/ompt": ["lib/runtime/fork.hpp"],
    "instrument/pomp": ["lib/runtime/fork.hpp"],
    "instrument/pomp2": ["instrument/pomp"],
    "cli": ["lib/machine/apart", "lib/variables"],
}
for folder, more in UNTIL_THEN.items():
    ROOMS[folder] = ROOMS.get(folder, []) + more

# A hook of ours that is called from inside: (file, function) and why.
HOOKS_FROM_INSIDE = {
    ("lib/runtime/children_processes.cpp", "execv"): "execl is execv with its arguments in a row",
    ("lib/runtime/children_processes.cpp", "execvp"): "execlp is execvp with its arguments in a row",
    ("lib/runtime/children_processes.cpp", "execve"): "execle is execve with its arguments in a row",
    ("lib/machine/apart/module.cpp", "malloc"): "the program's allocator, as for hwloc beside it",
    **{("lib/machine/apart/own_symbols.cpp", name): "all are looked up by calling them, before others do"
       for name in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign")},
    ("instrument/ompt/next_tool.cpp", "ompt_start_tool"): "its address only: which tool is our own",
}

# A table of functions of ours: (file, variable) and why. It is a row of functions for those who
# observe, for strategies, for the options, or what another library or runtime is given.
FUNCTION_TABLES = {
    ("lib/plan/planner.cpp", "nestbind_planner_2"): "border of libnestbind-planner.so",
    ("lib/machine/apart/module.cpp", "nestbind_topology_1"): "border of libnestbind-topology.so",
    ("lib/runtime/settings.cpp", "kVariables"): "options: how each is taken",
    ("lib/variables/rules.cpp", "kRules"): "options: what each may be",
    ("instrument/ompt/start_tool.cpp", "kResults"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnParallelBegin"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnImplicitTask"): "given to a runtime: one for each in the process",
    ("instrument/ompt/second_tool.cpp", "kLookups"): "given to a second tool: one for each runtime",
    ("instrument/ompt/second_tool.cpp", "kStandIns"): "given to a second tool: one for each runtime",
}

# A function whose address another file takes: (file, function) and why. "unoptimised": elsewhere the
# compiler may have put it in its place.
HANDED_ON = {
    ("lib/runtime/children_processes.cpp", "nestbind::runtime::lock_plans"): "to pthread_atfork",
    ("lib/runtime/children_processes.cpp", "nestbind::runtime::unlock_plans"): "to pthread_atfork",
    ("instrument/ompt/next_tool.cpp", "ompt_start_tool"): "compared with what the loader finds",
    ("cli/doctor.cpp", "nestbind::cli::is_openmp_symbol"): "which symbols of a file are wanted",
    ("cli/llvm_runtime.cpp", "nestbind::cli::is_openmp_symbol"): "which symbols of a file are wanted",
    ("cli/loaded_libraries.cpp", "nestbind::cli::is_openmp_symbol"): "which symbols of a file are wanted",
    ("cli/run.cpp", "nestbind::cli::is_openmp_symbol"): "which symbols of a file are wanted",
    ("cli/run.cpp", "nestbind::cli::is_sanitizer"): "unoptimised: which libraries are wanted",
}

# A function of ours that takes a pointer to a function, and why.
TAKES_FUNCTION = {
    "nestbind::ompt::find_omp_calls": "the runtime's own lookup",
    "nestbind::workers::hire": "the C library's pthread_create",
    "nestbind::workers::Worker::begin": "the C library's pthread_create",
}

# A variable that other files use too, and why. What is set in it is no function of ours.
SHARED_VARIABLES = {
    "nestbind::runtime::t_thread": "the calling thread's record",
    "nestbind::runtime::g_apart_root": "the root of threads that are apart",
    "nestbind::runtime::g_armed": "read inline by every hook",
    "nestbind::ompt::g_runtimes": "the tool interface's runtimes",
}

# A constant text that is a name of ours: (file, name) and why.
NAMES_IN_TEXTS = {
    ("lib/runtime/load_planner.cpp", "nestbind_planner_2"): "border of libnestbind-planner.so",
    ("lib/machine/apart/load.cpp", "nestbind_topology_1"): "border of libnestbind-topology.so",
    ("instrument/pomp/shared_region.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("instrument/pomp2/shared_parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("cli/hooks.cpp", "omp_set_nesting_info"): "looked for in files",
    ("cli/openmp_symbols.cpp", "omp_set_nesting_info"): "looked for in files",
}


@dataclasses.dataclass
class House:
    """The table and the lists, as the checks take them."""
    rooms: dict
    hooks_from_inside: dict = dataclasses.field(default_factory=dict)
    function_tables: dict = dataclasses.field(default_factory=dict)
    handed_on: dict = dataclasses.field(default_factory=dict)
    takes_function: dict = dataclasses.field(default_factory=dict)
    shared_variables: dict = dataclasses.field(default_factory=dict)
    names_in_texts: dict = dataclasses.field(default_factory=dict)

    def room_of(self, name):
        """The folder with a row that a file is in; its own folder where there is none."""
        for folder in map(str, pathlib.PurePosixPath(name).parents):
            if folder in self.rooms:
                return folder
        return str(pathlib.PurePosixPath(name).parent)

    def may_know(self, room, name):
        """Whether the files of a room may know this file."""
        other = self.room_of(name)
        if room == other:
            return True
        # What everything may use knows only what its row says.
        allowed = self.rooms.get(room, []) + ([] if room in FOR_ALL else FOR_ALL)
        return bool({other, name, str(pathlib.PurePosixPath(name).with_suffix(".hpp"))} & set(allowed))


HOUSE = House(ROOMS, HOOKS_FROM_INSIDE, FUNCTION_TABLES, HANDED_ON, TAKES_FUNCTION, SHARED_VARIABLES, NAMES_IN_TEXTS)
