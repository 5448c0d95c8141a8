# SPDX-License-Identifier: BSD-3-Clause
"""A table of the folders that a folder may use, and lists of exceptions with reasons. includes.py and symbols.py read the table and the
lists."""

import dataclasses
import pathlib
import re

# The folders directly below lib/ are the linked targets. The tables here do not name these folders: lib/placement means
# lib/preload/placement.
LINKED_TOGETHER = ("lib/common", "lib/preload", "lib/planner", "lib/command")


def short(name):
    """Returns a path in the form of the tables: lib/preload/owner/roots.cpp becomes lib/owner/roots.cpp."""
    return re.sub(rf"^({'|'.join(LINKED_TOGETHER)})/(?=.*/)", "lib/", name)


FOR_ALL = ["lib/support", "lib/mask"]

# The hooks that see forks (instrument/) may use only these files, to report forks and loops, and to ask about the process.
DOORS = ["lib/team/fork.hpp", "lib/team/team.hpp", "lib/team/tree.cpp", "lib/team/consumer.cpp", "lib/worksharing/loop.hpp", "lib/worksharing/change_schedule.cpp", "lib/worksharing/range.hpp", "lib/worksharing/schedule_in_force.hpp", "lib/worksharing/shared_team.hpp", "lib/worksharing/unseen_loops.hpp",
         "lib/placement/placement_start.hpp", "lib/placement/region_rules.hpp", "lib/sizes/told_sizes.hpp", "lib/omp",
         "lib/process", "lib/observe/observer.hpp", "lib/interpose"]

# The short way of a repeated fork is inline in the hooks. It compares these.
SHORT_WAY = ["lib/placement/placed_forks.hpp", "lib/placement/expected_workers.hpp", "lib/binding/kernel_mask.cpp", "lib/options/settings.hpp",
             "lib/places/plans.hpp", "lib/ranks/meeting/tree.hpp"]

# The folders that each folder may use, in addition to itself and FOR_ALL. If a list names a header, it allows this header and the
# definitions in the source file of the same name. If it names a source file, it allows the definitions in that file.
ROOMS = {
    "lib/support": [],
    "lib/mask": ["lib/support"],
    "lib/spec": [],
    "lib/rules": ["lib/spec"],
    "lib/options": [],
    "lib/machine": ["lib/spec/kind.hpp"],
    "lib/machine/cache": ["lib/machine"],
    "lib/machine/hwloc": ["lib/machine", "lib/machine/cache/record.hpp"],
    "lib/machine/loading": ["lib/machine", "lib/machine/cache", "lib/machine/hwloc/topology_border.hpp"],
    "lib/plan": ["lib/spec", "lib/machine"],
    "lib/topology": ["lib/machine"],
    "lib/mapping": ["lib/plan", "lib/machine", "lib/spec", "lib/topology/geometry.hpp", "lib/balance/objects.hpp"],  # definitions of a level and an object
    "lib/mapping/scotch": ["lib/mapping"],
    "lib/network": ["lib/mapping/text_lines.hpp"],
    "lib/mapping/ranks": ["lib/network", "lib/mapping/text_lines.hpp"],
    "lib/mpi": ["lib/planner/planner_ranks.h"],
    "lib/slurm": ["lib/spec", "lib/options"],
    "lib/slurm/spank": ["lib/slurm", "lib/options"],
    "lib/planner": ["lib/topology", "lib/plan", "lib/network", "lib/mapping/ranks", "lib/mapping/order_text.hpp", "lib/mapping/text_lines.hpp", "lib/show/picture.hpp", "lib/show/line.hpp", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading"],
    "lib/show": ["lib/topology", "lib/plan", "lib/spec", "lib/machine"],
    "lib/job": ["lib/show/line.hpp"],
    "lib/nodes": ["lib/show/planned.hpp"],  # text in an SVG
    "lib/advice": ["lib/show", "lib/plan", "lib/spec", "lib/machine"],
    "lib/ranks": [],
    "lib/ranks/meeting": ["lib/ranks", "lib/options"],
    "lib/process": ["lib/options", "lib/interpose", "lib/ranks/launcher.hpp"],
    "lib/workers": [],
    "lib/loops": ["lib/balance"],
    "lib/balance": [],
    "lib/balance/across": ["lib/balance"],
    "lib/interpose": [],
    "lib/trial": [],
    "lib/probe": ["lib/machine", "lib/topology/interconnect.hpp"],  # for the definition of a hop
    "lib/omp": ["lib/process", "lib/options", "lib/interpose"],
    "lib/binding": ["lib/process"],
    "lib/observe": ["lib/process", "lib/options", "lib/interpose", "lib/spec", "lib/planner/planner.hpp"],
    "lib/observe/publish": ["lib/observe/observer.hpp", "lib/planner/planner.hpp", "lib/spec", "lib/process", "lib/options", "lib/ranks/meeting/meeting.hpp"],
    "lib/team": ["lib/omp/calls.hpp", "lib/process"],
    "lib/places": ["lib/team", "lib/omp/calls.hpp", "lib/binding", "lib/process", "lib/options", "lib/spec", "lib/planner/planner.hpp"],
    "lib/owner": ["lib/places", "lib/team", "lib/omp", "lib/binding", "lib/process", "lib/options", "lib/spec", "lib/interpose",
                  "lib/ranks", "lib/ranks/meeting", "lib/workers/census.hpp"],
    "lib/sizes": ["lib/owner/purpose.hpp", "lib/owner/rank_part.hpp", "lib/places", "lib/team", "lib/omp", "lib/binding", "lib/process", "lib/options", "lib/spec",
                  "lib/interpose"],
    "lib/placement": ["lib/sizes", "lib/owner", "lib/places", "lib/team", "lib/omp", "lib/binding", "lib/observe", "lib/observe/publish/publish.hpp", "lib/workers", "lib/rules", "lib/spec", "lib/interpose",
                      "lib/process", "lib/options", "lib/planner/planner.hpp", "lib/memory/loading/load_memory.hpp", "lib/memory/orders/order_file.hpp", "lib/ranks/meeting/tree.hpp"],
    "lib/memory/watch": ["lib/memory/spread/page_parts.hpp"],  # for the definition of BLOCK
    "lib/memory/wish": [],
    "lib/memory/orders": [],
    "lib/memory/kernel": [],
    "lib/memory/spread": ["lib/memory/kernel/pages.hpp", "lib/memory/kernel/memory_nodes.hpp"],
    "lib/memory/module": ["lib/memory/kernel", "lib/memory/spread"],
    "lib/memory/loading": ["lib/memory/module/memory_border.hpp", "lib/memory/orders/order_file.hpp", "lib/omp/unseen.hpp", "lib/process", "lib/options"],
    "lib/worksharing": ["lib/team", "lib/loops", "lib/placement/placement_start.hpp", "lib/places/team_places.hpp", "lib/omp", "lib/process", "lib/options",
                    "lib/interpose/code_place.hpp", "lib/observe/loops_report.hpp", "lib/observe/teams_report.hpp", "lib/planner/planner.hpp"],
    "lib/api": ["lib/placement", "lib/balance", "lib/balance/across", "lib/options/settings.hpp", "lib/worksharing/computed.hpp", "lib/planner/planner.hpp", "lib/memory/loading", "lib/memory/module/memory_border.hpp", "lib/process/message.hpp", "lib/process/undisturbed.hpp", "lib/worksharing/schedule_in_force.hpp", "lib/worksharing/change_schedule.cpp", "lib/loops/schedule.hpp", "lib/spec"],
    "instrument/gomp": DOORS + SHORT_WAY + ["lib/placement/seen_places.hpp", "lib/workers/ending.hpp"],
    "instrument/kmpc": DOORS,
    "instrument/ompt": DOORS + SHORT_WAY + ["lib/placement/seen_places.hpp", "lib/sizes/fork_sizes.hpp"],
    "instrument/pomp": DOORS,
    "instrument/libc": ["lib/team/team.hpp", "lib/team/tree.cpp", "lib/process/original_mask.hpp", "lib/binding", "lib/interpose", "lib/workers", "lib/team/fork.hpp", "lib/process/undisturbed.hpp", "lib/placement/expected_workers.hpp",
                        "lib/placement/placement_start.hpp", "lib/owner/purpose.hpp", "lib/omp/runtimes.hpp", "lib/places/place.hpp", "lib/places/plans.hpp", "lib/process/armed.hpp"],
    "instrument/opari/regions": [],
    "instrument/pomp-library": ["instrument/pomp/hooks.hpp", "lib/interpose/next_function.hpp"],
    "cli": ["cli/inspect", "cli/source/source_lines.hpp", "cli/source/call_chains.cpp", "lib/memory/watch", "lib/memory/orders/order_file.hpp", "lib/memory/spread", "lib/memory/wish/wish.hpp", "lib/rules", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading", "lib/machine/hwloc/topology_border.hpp",
            "lib/plan", "lib/network", "lib/mapping", "lib/mapping/ranks", "lib/mapping/scotch/scotch_border.hpp", "lib/balance", "lib/topology/geometry.hpp", "lib/job", "lib/nodes", "lib/loops", "lib/probe", "lib/memory/kernel", "lib/show", "lib/advice", "lib/options", "lib/trial", "lib/process/traced.hpp",
            "lib/omp/sources.hpp", "lib/observe/publish/format.hpp", "lib/ranks/launcher.hpp", "lib/ranks/sheet.hpp", "lib/ranks/meeting"],
    "cli/inspect": [],
    "cli/source": [],
}

# nestbind's own code may call these hooks. Each hook has a reason.
HOOKS_FROM_INSIDE = {
    ("instrument/libc/processes.cpp", "execv"): "execl is execv with its arguments in a row",
    ("instrument/libc/processes.cpp", "execvp"): "execlp is execvp with its arguments in a row",
    ("instrument/libc/processes.cpp", "execve"): "execle is execve with its arguments in a row",
    ("lib/machine/hwloc/topology_module.cpp", "malloc"): "the module and hwloc use the program's allocator",
    **{("lib/machine/hwloc/own_symbols.cpp", name): "looks up each function while the library is loaded: later the loader's lock may be held"
       for name in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign")},
}

# These variables are tables of nestbind's functions. Each table has a reason. Such tables are for observers, strategies and options, or for
# other libraries and runtimes. A reason with "unoptimised:" is needed only in builds without optimisation.
FUNCTION_TABLES = {
    ("lib/planner/planner.cpp", "nestbind_planner_11"): "the interface of libnestbind-planner.so",
    ("lib/plan/strategies.cpp", "kStrategies"): "what each strategy means",
    ("lib/machine/hwloc/topology_module.cpp", "nestbind_topology_6"): "the interface of libnestbind-topology.so",
    ("lib/memory/module/memory_module.cpp", "nestbind_memory_2"): "the interface of libnestbind-memory.so",
    ("lib/options/settings.cpp", "kRules"): "options: how each value is read",
    ("lib/options/site_file.cpp", "kTable"): "options: how each value is read",
    **{(f"cli/{name}.cpp", "kTable"): "options: how each value is read"
       for name in ("command_line", "subcommand", "run", "common/asked_machine", "common/environment", "common/preload", "common/usual_options", "doctor/examine_environment",
                    "doctor/examine_here", "memory/memory", "tune/subject")},
    ("lib/placement/region_rules.cpp", "kTable"): "unoptimised: options: how each value is read",
    ("lib/owner/rank_part.cpp", "kTable"): "unoptimised: options: how each value is read",
    ("lib/slurm/slurm_request.cpp", "kTable"): "options: how each value is read",
    ("lib/slurm/spank/plugin.cpp", "kTable"): "unoptimised: options: how each value is read",
    ("lib/slurm/spank/plugin.cpp", "g_options"): "given to Slurm: the functions that get the values of options",
    ("lib/memory/loading/load_memory.cpp", "kTable"): "unoptimised: options: how each value is read",
    ("cli/memory/memory_child.cpp", ".data.rel.ro"): "unoptimised: the handler of signals that the command passes on",
    ("lib/worksharing/schedule_in_force.cpp", "kTable"): "unoptimised: options: how each value is read",
    ("lib/worksharing/shared_team.cpp", "g_when_wanted"): "called when it changes whether nestbind shares loops",
    ("cli/main.cpp", "kSubcommands"): "the subcommands: the functions that describe their options",
    ("cli/top/top_table.cpp", "kColumns"): "columns: the functions that write them",
    ("lib/observe/own_observers.cpp", "g_report"): "an observer",
    ("lib/placement/placed_forks.cpp", "g_consumer"): "a consumer of forks",
    ("lib/placement/region_rules.cpp", "when_closed"): "called when a library is unloaded",
    ("instrument/kmpc/fork_call.cpp", "when_armed"): "an observer",
    ("instrument/kmpc/fork_call.cpp", "when_started"): "called when a runtime starts",
    ("lib/worksharing/shared_team.cpp", "g_consumer"): "a consumer of forks",
    ("lib/observe/own_observers.cpp", "trace"): "an observer",
    ("lib/observe/publish/publish.cpp", "g_publish"): "an observer",
    ("instrument/gomp/gomp_runtime.cpp", "when_armed"): "an observer",
    ("instrument/gomp/gomp_straight.cpp", "g_when_changed"): "called when nestbind begins to share loops",
    ("instrument/gomp/gomp_runtime.cpp", "when_closed"): "called when a library is unloaded",
    ("instrument/kmpc/kmpc_runtime.cpp", "when_closed"): "called when a library is unloaded",
    ("instrument/kmpc/kmpc_runtime.cpp", "when_started"): "called when a runtime starts",
    ("instrument/kmpc/kmpc_straight.cpp", "g_when_changed"): "called when it changes whether nestbind shares loops",
    ("instrument/ompt/start_tool.cpp", "g_when_armed"): "an observer",
    ("instrument/ompt/start_tool.cpp", "g_when_wanted"): "called when it changes whether nestbind shares loops",
    ("instrument/ompt/start_tool.cpp", "kResults"): "given to a runtime: one entry for each runtime in the process",
    ("instrument/ompt/alone.cpp", "kOnParallelBegin"): "given to a runtime: one entry for each runtime in the process",
    ("instrument/ompt/alone.cpp", "kOnImplicitTask"): "given to a runtime: one entry for each runtime in the process",
    ("instrument/ompt/second_tool.cpp", "kLookups"): "given to a second tool: one entry for each runtime",
    ("instrument/ompt/second_tool.cpp", "kStandIns"): "given to a second tool: one entry for each runtime",
}

# Functions whose address another file takes: (file, function) and the reason.
HANDED_ON = {
    **{(f"lib/{name}.cpp", "nestbind::options::variable"): "given to lib/ranks: reads an environment variable" for name in ("owner/rank_part", "process/rank", "ranks/meeting/job_key")},
    ("cli/run.cpp", "nestbind::options::variable"): "given to lib/ranks: reads an environment variable",
    ("lib/observe/publish/publish.cpp", "nestbind::publish::remove_file"): "to atexit",
    ("lib/placement/placement_start.cpp", "nestbind::placement::lock_for_fork"): "to pthread_atfork",
    ("lib/placement/placement_start.cpp", "nestbind::placement::unlock_behind_fork"): "to pthread_atfork",
    **{(f"cli/{name}.cpp", "nestbind::cli::inspect::is_openmp_symbol"): "decides which symbols of a file are read"
       for name in ("common/starting", "common/preload", "inspect/loaded_libraries", "inspect/verdict", "rules/rules_file")},
}

# These functions of nestbind have a parameter that is a pointer to a function. The text says what the pointer is.
TAKES_FUNCTION = {
    "nestbind::ompt::find_omp_calls": "the runtime's function to look up others",
    "nestbind::ompt::ask_next_tool": "nestbind's own start function, which is not the next tool's",
    "nestbind::interpose::hide_exports": "decides which names are hidden",
    "nestbind::placement::with_planner": "runs under the lock of plans",
    "nestbind::placement::is_worker": "the function that a new thread runs",
    "nestbind::placement::is_expected_worker": "the function that a new thread runs",
    "nestbind::placement::provide_worker": "the C library's pthread_create",
    "nestbind::cli::inspect::read_elf": "decides which symbols of a file are read",
    "nestbind::cli::inspect::read_elf_bytes": "decides which symbols of a file are read",
    "nestbind::workers::hire": "the C library's pthread_create",
    "nestbind::workers::Worker::begin": "the C library's pthread_create",
}

# Several files use these variables. The text says why. None of the variables stores a pointer to a function of nestbind.
SHARED_VARIABLES = {
    "nestbind::binding::t_thread": "the calling thread's record",
    "nestbind::observe::g_listening": "read inline at every fork",
    "nestbind::observe::g_not_squeezed": "written at forks, and read by the report",
    "nestbind::binding::g_recorded": "read inline at every fork",
    "nestbind::omp::g_lines_taken": "read inline by every member",
    "nestbind::omp::g_gnu_displays": "read inline at every fork",
    "nestbind::omp::g_llvm_displays": "read inline at every fork",
    "nestbind::observe::g_report": "an observer",
    "nestbind::publish::g_publish": "an observer",
    "nestbind::options::g_settings": "read inline at every fork",
    "nestbind::placement::g_bytes_of_places": "the memory of places, counted where places are made",
    "nestbind::placement::g_is_plain": "read inline at every fork",
    "nestbind::placement::g_unmanaged": "the members of teams that are not planned",
    "nestbind::placement::g_start": "read inline at every fork",
    "nestbind::placement::g_owner": "read inline at every fork",
    "nestbind::placement::g_in_force": "read inline at every fork",
    "nestbind::placement::g_division": "compared at every fork of a root that has a part",
    "nestbind::placement::g_told": "compared at every fork of a root thread",
    "nestbind::placement::g_mask_changes": "compared if a thread asks for a size",
    "nestbind::placement::g_roots": "which root thread has which part of the machine, for the forks of root threads",
    "nestbind::placement::g_has_region_rules": "read inline at forks",
    "nestbind::placement::g_modules_closed": "compared at every fork under rules",
    "nestbind::placement::g_when_new_code": "the list of functions that are called when code was loaded",
    "nestbind::placement::g_when_size_is_set": "the list of functions that are called when a rule sets a size",
    "nestbind_noted_region": "written by the hook of __kmpc_fork_call, read at the fork",
    "nestbind::worksharing::g_wanted": "read inline by every fork",
    "nestbind::worksharing::g_start": "read inline at every fork",
    "nestbind::team::t_here": "the team and member that the calling thread is",
    "nestbind::team::g_followed": "read inline by every fork",
    "nestbind::team::g_path_root": "the root from which members are found by path",
    "nestbind::worksharing::g_counts_computed": "read inline at the begin of every loop",
    "nestbind::worksharing::g_clock": "read inline at every measurement of time",
    "nestbind::worksharing::g_nowhere": "used for a team whose loops are never shared",
    "nestbind::team::g_nowhere": "used for a member if there is no memory",
    "nestbind::process::g_armed": "read inline by every hook",
    "nestbind::workers::g_changes_of_any": "compared at every fork",
    "nestbind::workers::t_of_thread": "compared at every fork",
    "nestbind::process::g_traced": "read inline",
    "nestbind::workers::g_mask_changes": "read inline at every call of a worker",
    "nestbind::workers::g_parts": "searched inline",
    "nestbind::gomp::g_straight": "read inline by every hook of loops",
    "nestbind::gomp::g_global": "read inline by every hook of loops",
    "nestbind::gomp::g_modules": "read inline by every hook of loops",
    "nestbind::gomp::t_loop": "the loop that the calling thread is in, for GCC's entries",
    "nestbind::kmpc::g_straight": "read inline by every hook",
    "nestbind::kmpc::g_global": "read inline by every hook",
    "nestbind::kmpc::g_modules": "read inline by every hook",
    "nestbind::kmpc::g_was_wanted": "read inline by every hook",
    "nestbind::ranks::g_tree_view": "read inline at every fork of a root that has a part",
    "nestbind::ompt::g_runtimes": "the tool interface's runtimes",
}

# In some files, a string is also the name of one of nestbind's symbols. The text says why.
NAMES_IN_TEXTS = {
    ("lib/places/plans.cpp", "nestbind_planner_11"): "the interface of libnestbind-planner.so",
    ("lib/machine/loading/load_machine.cpp", "nestbind_topology_6"): "the interface of libnestbind-topology.so",
    ("lib/memory/loading/load_memory.cpp", "nestbind_memory_2"): "the interface of libnestbind-memory.so",
    ("instrument/pomp-library/opari1/opari1_parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("instrument/pomp-library/opari2/opari2_parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("cli/doctor/doctor.cpp", "omp_set_nesting_info"): "looked for in files",
    ("cli/common/preload.cpp", "omp_set_nesting_info"): "looked for in files",
    ("cli/inspect/verdict.cpp", "omp_set_nesting_info"): "looked for in files",
}


@dataclasses.dataclass
class House:
    """The table and the lists, as the checks use them."""
    rooms: dict
    hooks_from_inside: dict = dataclasses.field(default_factory=dict)
    function_tables: dict = dataclasses.field(default_factory=dict)
    handed_on: dict = dataclasses.field(default_factory=dict)
    takes_function: dict = dataclasses.field(default_factory=dict)
    shared_variables: dict = dataclasses.field(default_factory=dict)
    names_in_texts: dict = dataclasses.field(default_factory=dict)

    def room_of(self, name):
        """Returns the innermost folder in the table that contains the file."""
        for folder in map(str, pathlib.PurePosixPath(short(name)).parents):
            if folder in self.rooms:
                return folder
        return str(pathlib.PurePosixPath(short(name)).parent)

    def may_know(self, room, name):
        """True if the files of the folder `room` may use the file `name`."""
        other = self.room_of(name)
        if room == other:
            return True
        # The folders in FOR_ALL may use only what their own row lists.
        allowed = self.rooms.get(room, []) + ([] if room in FOR_ALL else FOR_ALL)
        name = short(name)
        return bool({other, name, str(pathlib.PurePosixPath(name).with_suffix(".hpp"))} & set(allowed))


HOUSE = House(ROOMS, HOOKS_FROM_INSIDE, FUNCTION_TABLES, HANDED_ON, TAKES_FUNCTION, SHARED_VARIABLES, NAMES_IN_TEXTS)
