# SPDX-License-Identifier: BSD-3-Clause
"""Who may know whom, and what is let through with its reason. One table, for includes and for symbols."""

import dataclasses
import pathlib

# What everything may use.
FOR_ALL = ["lib/support", "lib/mask"]

# What a source of forks sees: the doors, and what is true of the process.
DOORS = ["lib/sharing/fork.hpp", "lib/sharing/loop.hpp", "lib/sharing/change.hpp", "lib/sharing/range.hpp", "lib/sharing/schedule.hpp", "lib/sharing/team.hpp", "lib/sharing/unseen.hpp",
         "lib/placement/fork.hpp", "lib/placement/sizes.hpp", "lib/placement/expected_workers.hpp", "lib/omp",
         "lib/process", "lib/observe/observer.hpp", "lib/interpose"]

# For each folder the folders that it may know, besides its own and FOR_ALL. A header in place of a
# folder: this header, and what the source file of its name defines; a source file: what it defines.
ROOMS = {
    "lib/support": [],
    "lib/mask": ["lib/support"],
    "lib/spec": [],
    "lib/options": [],
    "lib/machine": ["lib/spec/kind.hpp"],
    "lib/machine/cache": ["lib/machine"],
    "lib/machine/hwloc": ["lib/machine", "lib/machine/cache/record.hpp"],
    "lib/machine/reader": ["lib/machine/cache/record.hpp", "lib/machine/hwloc/read.hpp"],
    "lib/machine/loading": ["lib/machine", "lib/machine/cache", "lib/machine/hwloc/border.hpp", "lib/machine/reader/border.hpp"],
    "lib/plan": ["lib/spec", "lib/machine"],
    "lib/topology": ["lib/machine"],
    "lib/mapping": ["lib/plan", "lib/machine", "lib/spec", "lib/topology/levels.hpp"],  # one meaning of a level
    "lib/mapping/scotch": ["lib/mapping"],
    "lib/slurm": ["lib/spec", "lib/options"],
    "lib/slurm/spank": ["lib/slurm", "lib/options"],
    "lib/planner": ["lib/topology", "lib/plan", "lib/mapping/order_text.hpp", "lib/mapping/order_use.hpp", "lib/mapping/text.hpp", "lib/show/picture.hpp", "lib/show/line.hpp", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading"],
    "lib/show": ["lib/topology", "lib/plan", "lib/spec", "lib/machine"],
    "lib/job": ["lib/show/line.hpp"],
    "lib/advice": ["lib/show", "lib/plan", "lib/spec", "lib/machine"],
    "lib/ranks": [],
    "lib/ranks/meeting": ["lib/ranks", "lib/options"],
    "lib/process": ["lib/options", "lib/interpose", "lib/ranks/launcher.hpp"],
    "lib/workers": [],
    "lib/loops": ["lib/balance"],
    "lib/balance": [],
    "lib/balance/partition": ["lib/balance"],
    "lib/memory": [],
    "lib/interpose": [],
    "lib/trial": [],
    "lib/probe": ["lib/machine", "lib/topology/interconnect.hpp"],  # one meaning of a hop
    "lib/omp": ["lib/process", "lib/options", "lib/interpose"],
    "lib/binding": ["lib/process"],
    "lib/observe": ["lib/process", "lib/options", "lib/interpose", "lib/spec", "lib/planner/planner.hpp"],
    "lib/observe/publish": ["lib/observe/observer.hpp", "lib/planner/planner.hpp", "lib/spec", "lib/process", "lib/options", "lib/ranks/meeting/meeting.hpp"],
    "lib/placement": ["lib/omp", "lib/binding", "lib/observe", "lib/observe/publish/publish.hpp", "lib/workers", "lib/spec", "lib/interpose",
                      "lib/process", "lib/options", "lib/planner/planner.hpp", "lib/memory/loading/advise.hpp", "lib/ranks", "lib/ranks/meeting"],
    "lib/memory/watch": ["lib/memory/units.hpp"],
    "lib/memory/wish": [],
    "lib/memory/kernel": ["lib/memory/watch/records.hpp"],
    "lib/memory/spread": ["lib/memory/kernel/pages.hpp", "lib/memory/kernel/node_set.hpp"],
    "lib/memory/apply": ["lib/memory"],
    "lib/memory/module": ["lib/memory", "lib/memory/apply", "lib/memory/kernel", "lib/memory/spread", "lib/memory/watch", "lib/interpose/code_place.hpp"],
    "lib/memory/loading": ["lib/memory/module/border.hpp", "lib/memory/wish", "lib/process", "lib/options", "lib/interpose/code_place.hpp"],
    "lib/sharing": ["lib/loops", "lib/placement/start.hpp", "lib/placement/seats.hpp", "lib/omp", "lib/process", "lib/options",
                    "lib/interpose/code_place.hpp", "lib/observe/loops.hpp", "lib/observe/teams_report.hpp", "lib/planner/planner.hpp"],
    "lib/api": ["lib/placement", "lib/balance", "lib/planner/planner.hpp", "lib/memory/loading", "lib/memory/module/border.hpp", "lib/process/undisturbed.hpp", "lib/sharing/change.hpp", "lib/loops/schedule.hpp", "lib/spec"],
    "instrument/gomp": DOORS + ["lib/placement/keeping.hpp", "lib/placement/affinity.hpp"],
    "instrument/kmpc": DOORS,
    "instrument/ompt": DOORS,
    "instrument/pomp": DOORS,
    "instrument/libc": ["lib/process/original_mask.hpp", "lib/binding", "lib/interpose", "lib/workers", "lib/placement/expected_workers.hpp",
                        "lib/placement/atfork.hpp", "lib/placement/purpose.hpp", "lib/placement/outside.hpp",
                        "lib/placement/own_children.hpp"],
    "instrument/opari/regions": [],
    "instrument/pomp-library": ["instrument/pomp/hooks.hpp", "lib/interpose/next_function.hpp"],
    "cli": ["cli/inspect", "cli/source/lines.hpp", "lib/memory/sentences.hpp", "lib/memory/request.hpp", "lib/memory/wish/wish.hpp", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading", "lib/machine/hwloc/border.hpp",
            "lib/plan", "lib/mapping", "lib/mapping/scotch/border.hpp", "lib/balance", "lib/balance/partition", "lib/topology/geometry.hpp", "lib/job", "lib/loops", "lib/probe", "lib/memory/kernel/nodes.hpp", "lib/memory/kernel/pages.hpp", "lib/show", "lib/advice", "lib/options", "lib/trial", "lib/process/trace.hpp",
            "lib/omp/sources.hpp", "lib/observe/publish/format.hpp", "lib/observe/publish/name.hpp", "lib/ranks/launcher.hpp"],
    "cli/inspect": [],
    "cli/source": [],
}

# A hook of ours that is called from inside: (file, function) and why.
HOOKS_FROM_INSIDE = {
    ("instrument/libc/processes.cpp", "execv"): "execl is execv with its arguments in a row",
    ("instrument/libc/processes.cpp", "execvp"): "execlp is execvp with its arguments in a row",
    ("instrument/libc/processes.cpp", "execve"): "execle is execve with its arguments in a row",
    ("lib/machine/hwloc/module.cpp", "malloc"): "the program's allocator, as for hwloc beside it",
    **{("lib/machine/hwloc/own_symbols.cpp", name): "all are looked up by calling them, before others do"
       for name in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign")},
}

# A table of functions of ours: (file, variable) and why. It is a row of functions for those who
# observe, for strategies, for the options, or what another library or runtime is given.
FUNCTION_TABLES = {
    ("lib/planner/planner.cpp", "nestbind_planner_7"): "border of libnestbind-planner.so",
    ("lib/plan/strategies.cpp", "kStrategies"): "what each strategy means",
    ("lib/machine/hwloc/module.cpp", "nestbind_topology_3"): "border of libnestbind-topology.so",
    ("lib/memory/module/module.cpp", "nestbind_memory_1"): "border of libnestbind-memory.so",
    ("lib/options/settings.cpp", "kRules"): "options: how each is taken",
    **{(f"cli/{name}.cpp", "kTable"): "options: how each is taken"
       for name in ("add_run", "arguments", "asked_machine", "cache", "environment", "list_words", "memory", "options", "refused", "run", "variables", "tune/environments")},
    ("lib/placement/part.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/slurm/request.cpp", "kTable"): "options: how each is taken",
    ("lib/slurm/task_variables.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/slurm/spank/plugin.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/slurm/spank/plugin.cpp", "g_options"): "given to Slurm: what takes each option's value",
    ("lib/memory/loading/advise.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/placement/plans.cpp", "kTable"): "likewise",
    ("cli/memory/child.cpp", ".data.rel.ro"): "unoptimised: what handles the signals that are handed on",
    ("lib/sharing/schedule.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("cli/commands.cpp", "kSubcommands"): "the subcommands: what describes each",
    ("cli/top/table.cpp", "kColumns"): "columns: how each is written",
    ("lib/observe/report.cpp", "g_report"): "an observer",
    ("lib/observe/trace.cpp", "g_trace"): "an observer",
    ("lib/observe/publish/publish.cpp", "g_publish"): "an observer",
    ("instrument/gomp/runtime.cpp", "when_armed"): "an observer",
    ("instrument/gomp/straight.cpp", "g_when_changed"): "told when loops begin to be taken",
    ("instrument/gomp/runtime.cpp", "when_closed"): "told when modules are closed",
    ("instrument/kmpc/runtime.cpp", "when_closed"): "told when modules are closed",
    ("instrument/kmpc/runtime.cpp", "when_started"): "told when a runtime starts",
    ("instrument/kmpc/straight.cpp", "g_when_changed"): "told whether loops are to be shared",
    ("instrument/ompt/start_tool.cpp", "g_when_armed"): "an observer",
    ("instrument/ompt/start_tool.cpp", "g_when_wanted"): "told whether loops are to be shared",
    ("instrument/ompt/start_tool.cpp", "kResults"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnParallelBegin"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnImplicitTask"): "given to a runtime: one for each in the process",
    ("instrument/ompt/second_tool.cpp", "kLookups"): "given to a second tool: one for each runtime",
    ("instrument/ompt/second_tool.cpp", "kStandIns"): "given to a second tool: one for each runtime",
}

# A function whose address another file takes: (file, function) and why. "unoptimised": elsewhere the
# compiler may have put it in its place.
HANDED_ON = {
    **{(f"lib/{name}.cpp", "nestbind::options::variable"): "to lib/ranks' table: how a variable is looked up" for name in ("placement/part", "process/rank")},
    ("lib/observe/publish/publish.cpp", "nestbind::publish::remove_file"): "to atexit",
    ("lib/memory/loading/advise.cpp", "nestbind::interpose::find_code"): "to libnestbind-memory.so: the code of an address",
    ("lib/placement/atfork.cpp", "nestbind::placement::lock_for_fork"): "to pthread_atfork",
    ("lib/placement/atfork.cpp", "nestbind::placement::unlock_behind_fork"): "to pthread_atfork",
    **{(f"cli/{name}.cpp", "nestbind::cli::inspect::is_openmp_symbol"): "which symbols of a file are wanted"
       for name in ("llvm_runtime", "preload", "inspect/loaded_libraries", "inspect/verdict")},
}

# A function of ours that takes a pointer to a function, and why.
TAKES_FUNCTION = {
    "nestbind::interpose::at_program_start": "what waits for the libraries to be initialised",
    "nestbind::ompt::find_omp_calls": "the runtime's own lookup",
    "nestbind::ompt::ask_next_tool": "our own, to be left out",
    "nestbind::interpose::hide_exports": "which names are meant",
    "nestbind::memory::Gathering::Gathering": "libnestbind.so's own: the code of an address",
    "nestbind::memory::told": "likewise",
    "nestbind::memory::stories_of": "likewise",
    "nestbind::placement::is_worker": "where a thread begins",
    "nestbind::placement::is_expected_worker": "where a thread begins",
    "nestbind::placement::provide_worker": "the C library's pthread_create",
    "nestbind::cli::inspect::read_elf": "which symbols of a file are wanted",
    "nestbind::cli::inspect::read_elf_bytes": "which symbols of a file are wanted",
    "nestbind::workers::hire": "the C library's pthread_create",
    "nestbind::workers::Worker::begin": "the C library's pthread_create",
}

# A variable that other files use too, and why. What is set in it is no function of ours.
SHARED_VARIABLES = {
    "nestbind::binding::t_thread": "the calling thread's record",
    "nestbind::observe::g_listening": "read inline at every fork",
    "nestbind::omp::g_lines_taken": "read inline by every member",
    "nestbind::omp::g_gnu_displays": "read inline at every fork",
    "nestbind::omp::g_llvm_displays": "beside it",
    "nestbind::observe::g_report": "an observer",
    "nestbind::observe::g_trace": "an observer",
    "nestbind::publish::g_publish": "an observer",
    "nestbind::options::g_settings": "read inline at every fork",
    "nestbind::placement::g_apart": "the members of teams that are not planned",
    "nestbind::placement::g_apart_root": "the root of threads that are apart",
    "nestbind::placement::g_start": "looked at inline at every fork",
    "nestbind::placement::g_owner": "read inline at every fork",
    "nestbind::sharing::g_wanted": "read inline by every fork",
    "nestbind::sharing::g_start": "looked at inline at every fork",
    "nestbind::sharing::t_member": "the calling thread's place in its tree of teams",
    "nestbind::sharing::g_clock": "read inline by every time that is taken",
    "nestbind::sharing::g_nowhere": "where loops are never shared",
    "nestbind::sharing::g_nowhere_team": "beside it",
    "nestbind::process::g_armed": "read inline by every hook",
    "nestbind::workers::g_changes_of_any": "compared at every fork",
    "nestbind::workers::t_of_thread": "compared at every fork",
    "nestbind::process::g_traced": "read inline",
    "nestbind::workers::g_mask_changes": "read inline at every call of a worker",
    "nestbind::workers::g_parts": "looked through inline",
    "nestbind::gomp::g_straight": "read inline by every hook of loops",
    "nestbind::gomp::g_global": "read inline by every hook of loops",
    "nestbind::gomp::g_modules": "read inline by every hook of loops",
    "nestbind::gomp::t_here": "what the calling thread is in, for GCC's entries",
    "nestbind::kmpc::g_straight": "read inline by every hook",
    "nestbind::kmpc::g_global": "read inline by every hook",
    "nestbind::kmpc::g_modules": "read inline by every hook",
    "nestbind::kmpc::g_was_wanted": "read inline by every hook",
    "nestbind::ompt::g_runtimes": "the tool interface's runtimes",
}

# A constant text that is a name of ours: (file, name) and why.
NAMES_IN_TEXTS = {
    ("lib/placement/load_planner.cpp", "nestbind_planner_7"): "border of libnestbind-planner.so",
    ("lib/machine/loading/load.cpp", "nestbind_topology_3"): "border of libnestbind-topology.so",
    ("lib/memory/loading/load.cpp", "nestbind_memory_1"): "border of libnestbind-memory.so",
    ("instrument/pomp-library/opari1/parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("instrument/pomp-library/opari2/parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("cli/doctor.cpp", "omp_set_nesting_info"): "looked for in files",
    ("cli/preload.cpp", "omp_set_nesting_info"): "looked for in files",
    ("lib/interpose/lost_places.cpp", "nestbind_pomp_runtime"): "looked for in libraries",
    ("cli/inspect/openmp_symbols.cpp", "omp_set_nesting_info"): "looked for in files",
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
