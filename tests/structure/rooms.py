# SPDX-License-Identifier: BSD-3-Clause
"""Which folders may use which, and the exceptions with their reasons. One table, for includes and for symbols."""

import dataclasses
import pathlib
import re

# The first folder below lib/ names the target that is linked. The tables leave this folder out, as includes do: lib/placement
# is lib/preload/placement.
LINKED_TOGETHER = ("lib/common", "lib/preload", "lib/planner", "lib/command")


def short(name):
    """A path in the repository, in the form of the tables."""
    return re.sub(rf"^({'|'.join(LINKED_TOGETHER)})/(?=.*/)", "lib/", name)


# All folders may use these.
FOR_ALL = ["lib/support", "lib/mask"]

# A source of forks may use only these files: the doors, and facts about the process.
DOORS = ["lib/team/fork.hpp", "lib/team/team.hpp", "lib/worksharing/loop.hpp", "lib/worksharing/change_schedule.hpp", "lib/worksharing/range.hpp", "lib/worksharing/schedule_in_force.hpp", "lib/worksharing/shared_team.hpp", "lib/worksharing/unseen_loops.hpp",
         "lib/placement/team_sizes.hpp", "lib/placement/region_rules.hpp", "lib/omp",
         "lib/process", "lib/observe/observer.hpp", "lib/interpose"]

# For each folder the folders that it may use besides its own and FOR_ALL. A header in place of a folder: this header, and the
# definitions in the source file of its name. A source file: its definitions.
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
    "lib/mapping": ["lib/plan", "lib/machine", "lib/spec", "lib/topology/levels.hpp", "lib/balance/objects.hpp"],  # one definition of a level, and of an object
    "lib/mapping/scotch": ["lib/mapping"],
    "lib/slurm": ["lib/spec", "lib/options"],
    "lib/slurm/spank": ["lib/slurm", "lib/options"],
    "lib/planner": ["lib/topology", "lib/plan", "lib/mapping/order_text.hpp", "lib/mapping/text_lines.hpp", "lib/show/picture.hpp", "lib/show/line.hpp", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading"],
    "lib/show": ["lib/topology", "lib/plan", "lib/spec", "lib/machine"],
    "lib/job": ["lib/show/line.hpp"],
    "lib/advice": ["lib/show", "lib/plan", "lib/spec", "lib/machine"],
    "lib/ranks": [],
    "lib/ranks/meeting": ["lib/ranks", "lib/options"],
    "lib/process": ["lib/options", "lib/interpose", "lib/ranks/launcher.hpp"],
    "lib/workers": [],
    "lib/loops": ["lib/balance"],
    "lib/balance": [],
    "lib/interpose": [],
    "lib/trial": [],
    "lib/probe": ["lib/machine", "lib/topology/interconnect.hpp"],  # one definition of a hop
    "lib/omp": ["lib/process", "lib/options", "lib/interpose"],
    "lib/binding": ["lib/process"],
    "lib/observe": ["lib/process", "lib/options", "lib/interpose", "lib/spec", "lib/planner/planner.hpp"],
    "lib/observe/publish": ["lib/observe/observer.hpp", "lib/planner/planner.hpp", "lib/spec", "lib/process", "lib/options", "lib/ranks/meeting/meeting.hpp"],
    "lib/team": ["lib/omp/calls.hpp", "lib/process"],
    "lib/placement": ["lib/team", "lib/omp", "lib/binding", "lib/observe", "lib/observe/publish/publish.hpp", "lib/workers", "lib/rules", "lib/spec", "lib/interpose",
                      "lib/process", "lib/options", "lib/planner/planner.hpp", "lib/memory/loading/load_memory.hpp", "lib/memory/orders/obey_orders.hpp", "lib/ranks", "lib/ranks/meeting"],
    "lib/memory/watch": ["lib/memory/spread/page_parts.hpp"],  # one definition of BLOCK
    "lib/memory/wish": [],
    "lib/memory/orders": [],
    "lib/memory/kernel": [],
    "lib/memory/spread": ["lib/memory/kernel/pages.hpp", "lib/memory/kernel/node_set.hpp"],
    "lib/memory/module": ["lib/memory/kernel", "lib/memory/spread"],
    "lib/memory/loading": ["lib/memory/module/memory_border.hpp", "lib/memory/orders/obey_orders.hpp", "lib/omp/unseen.hpp", "lib/process", "lib/options"],
    "lib/worksharing": ["lib/team", "lib/loops", "lib/placement/placement_start.hpp", "lib/placement/team_places.hpp", "lib/omp", "lib/process", "lib/options",
                    "lib/interpose/code_place.hpp", "lib/observe/loops_report.hpp", "lib/observe/teams_report.hpp", "lib/planner/planner.hpp"],
    "lib/api": ["lib/placement", "lib/balance", "lib/planner/planner.hpp", "lib/memory/loading", "lib/memory/module/memory_border.hpp", "lib/process/message.hpp", "lib/process/undisturbed.hpp", "lib/worksharing/change_schedule.hpp", "lib/loops/schedule.hpp", "lib/spec"],
    "instrument/gomp": DOORS + ["lib/placement/expected_workers.hpp", "lib/placement/place_affinity.hpp"],
    "instrument/kmpc": DOORS,
    "instrument/ompt": DOORS,
    "instrument/pomp": DOORS,
    "instrument/libc": ["lib/team/team.hpp", "lib/process/original_mask.hpp", "lib/process/family.hpp", "lib/binding", "lib/interpose", "lib/workers", "lib/team/fork.hpp", "lib/process/undisturbed.hpp", "lib/placement/expected_workers.hpp",
                        "lib/placement/atfork.hpp", "lib/placement/purpose.hpp", "lib/placement/outside.hpp",
                        "lib/placement/own_children.hpp"],
    "instrument/opari/regions": [],
    "instrument/pomp-library": ["instrument/pomp/hooks.hpp", "lib/interpose/next_function.hpp"],
    "cli": ["cli/inspect", "cli/source/source_lines.hpp", "cli/source/call_chains.hpp", "lib/memory/watch", "lib/memory/orders/order_file.hpp", "lib/memory/spread", "lib/memory/wish/wish.hpp", "lib/rules", "lib/spec", "lib/machine", "lib/machine/cache", "lib/machine/loading", "lib/machine/hwloc/topology_border.hpp",
            "lib/plan", "lib/mapping", "lib/mapping/scotch/scotch_border.hpp", "lib/balance", "lib/topology/geometry.hpp", "lib/job", "lib/loops", "lib/probe", "lib/memory/kernel", "lib/show", "lib/advice", "lib/options", "lib/trial", "lib/process/traced.hpp",
            "lib/omp/sources.hpp", "lib/observe/publish/format.hpp", "lib/observe/publish/name.hpp", "lib/ranks/launcher.hpp"],
    "cli/inspect": [],
    "cli/source": [],
}

# A hook of ours that our own code calls: (file, function) and the reason.
HOOKS_FROM_INSIDE = {
    ("instrument/libc/processes.cpp", "execv"): "execl is execv with its arguments in a row",
    ("instrument/libc/processes.cpp", "execvp"): "execlp is execvp with its arguments in a row",
    ("instrument/libc/processes.cpp", "execve"): "execle is execve with its arguments in a row",
    ("lib/machine/hwloc/topology_module.cpp", "malloc"): "the program's allocator, as for hwloc beside it",
    **{("lib/machine/hwloc/own_symbols.cpp", name): "all are looked up by calling them, before others do"
       for name in ("malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign")},
}

# A table of our functions: (file, variable) and the reason. Such a table is for observers, strategies or options, or is given
# to another library or runtime.
FUNCTION_TABLES = {
    ("lib/planner/planner.cpp", "nestbind_planner_10"): "border of libnestbind-planner.so",
    ("lib/plan/strategies.cpp", "kStrategies"): "what each strategy means",
    ("lib/machine/hwloc/topology_module.cpp", "nestbind_topology_5"): "border of libnestbind-topology.so",
    ("lib/memory/module/memory_module.cpp", "nestbind_memory_2"): "border of libnestbind-memory.so",
    ("lib/options/settings.cpp", "kRules"): "options: how each is taken",
    ("lib/options/site_file.cpp", "kTable"): "options: how each is taken",
    **{(f"cli/{name}.cpp", "kTable"): "options: how each is taken"
       for name in ("command_line", "list_words", "run", "common/asked_machine", "common/environment", "common/preload", "common/usual_options", "doctor/examine_environment",
                    "doctor/examine_here", "memory/memory", "tune/subject")},
    ("lib/placement/part.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/slurm/slurm_request.cpp", "kTable"): "options: how each is taken",
    ("lib/slurm/spank/plugin.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/slurm/spank/plugin.cpp", "g_options"): "given to Slurm: what takes each option's value",
    ("lib/memory/loading/load_memory.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("cli/memory/memory_child.cpp", ".data.rel.ro"): "unoptimised: what handles the signals that are handed on",
    ("lib/worksharing/schedule_in_force.cpp", "kTable"): "unoptimised: options: how each is taken",
    ("lib/worksharing/shared_team.cpp", "g_when_wanted"): "told whether loops are to be shared",
    ("cli/main.cpp", "kSubcommands"): "the subcommands: what describes each",
    ("cli/top/top_table.cpp", "kColumns"): "columns: how each is written",
    ("lib/observe/report.cpp", "g_report"): "an observer",
    ("lib/placement/placed_forks.cpp", "g_consumer"): "a consumer of forks",
    ("lib/placement/placed_forks.cpp", "g_dividing"): "a consumer of forks, where root threads divide the machine",
    ("lib/placement/placed_forks.cpp", "g_ruling"): "a consumer of forks, with rules for single regions",
    ("lib/placement/region_rules.cpp", "when_closed"): "told when modules are closed",
    ("instrument/kmpc/fork_call.cpp", "when_armed"): "an observer",
    ("instrument/kmpc/fork_call.cpp", "when_started"): "told when a runtime starts",
    ("lib/worksharing/shared_team.cpp", "g_consumer"): "a consumer of forks",
    ("lib/observe/trace_observer.cpp", "g_trace"): "an observer",
    ("lib/observe/publish/publish.cpp", "g_publish"): "an observer",
    ("instrument/gomp/gomp_runtime.cpp", "when_armed"): "an observer",
    ("instrument/gomp/gomp_straight.cpp", "g_when_changed"): "told when loops begin to be taken",
    ("instrument/gomp/gomp_runtime.cpp", "when_closed"): "told when modules are closed",
    ("instrument/kmpc/kmpc_runtime.cpp", "when_closed"): "told when modules are closed",
    ("instrument/kmpc/kmpc_runtime.cpp", "when_started"): "told when a runtime starts",
    ("instrument/kmpc/kmpc_straight.cpp", "g_when_changed"): "told whether loops are to be shared",
    ("instrument/ompt/start_tool.cpp", "g_when_armed"): "an observer",
    ("instrument/ompt/start_tool.cpp", "g_when_wanted"): "told whether loops are to be shared",
    ("instrument/ompt/start_tool.cpp", "kResults"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnParallelBegin"): "given to a runtime: one for each in the process",
    ("instrument/ompt/alone.cpp", "kOnImplicitTask"): "given to a runtime: one for each in the process",
    ("instrument/ompt/second_tool.cpp", "kLookups"): "given to a second tool: one for each runtime",
    ("instrument/ompt/second_tool.cpp", "kStandIns"): "given to a second tool: one for each runtime",
}

# A function whose address another file takes: (file, function) and the reason. "unoptimised": only
# without optimisation, which may inline the function.
HANDED_ON = {
    **{(f"lib/{name}.cpp", "nestbind::options::variable"): "to lib/ranks' table: how a variable is looked up" for name in ("placement/part", "process/rank")},
    ("lib/observe/publish/publish.cpp", "nestbind::publish::remove_file"): "to atexit",
    ("lib/placement/atfork.cpp", "nestbind::placement::lock_for_fork"): "to pthread_atfork",
    ("lib/placement/atfork.cpp", "nestbind::placement::unlock_behind_fork"): "to pthread_atfork",
    **{(f"cli/{name}.cpp", "nestbind::cli::inspect::is_openmp_symbol"): "which symbols of a file are wanted"
       for name in ("common/llvm_runtime", "common/preload", "inspect/loaded_libraries", "inspect/verdict")},
}

# A function of ours that takes a pointer to a function, and the reason.
TAKES_FUNCTION = {
    "nestbind::ompt::find_omp_calls": "the runtime's own lookup",
    "nestbind::ompt::ask_next_tool": "our own, to be left out",
    "nestbind::interpose::hide_exports": "which names are meant",
    "nestbind::placement::is_worker": "where a thread begins",
    "nestbind::placement::is_expected_worker": "where a thread begins",
    "nestbind::placement::provide_worker": "the C library's pthread_create",
    "nestbind::cli::inspect::read_elf": "which symbols of a file are wanted",
    "nestbind::cli::inspect::read_elf_bytes": "which symbols of a file are wanted",
    "nestbind::workers::hire": "the C library's pthread_create",
    "nestbind::workers::Worker::begin": "the C library's pthread_create",
}

# A variable that other files use too, and the reason. None of our functions is stored in it.
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
    "nestbind::placement::g_unmanaged": "the members of teams that are not planned",
    "nestbind::placement::g_unmanaged_root": "the root of threads that are unmanaged",
    "nestbind::placement::g_start": "looked at inline at every fork",
    "nestbind::placement::g_owner": "read inline at every fork",
    "nestbind::placement::g_in_force": "likewise",
    "nestbind::placement::g_division": "compared at every fork of a root that has a part",
    "nestbind::placement::g_roots": "who has which part, for the forks of roots",
    "nestbind::placement::g_has_region_rules": "read inline at forks",
    "nestbind::placement::g_modules_closed": "compared at every fork under rules",
    "nestbind::placement::g_ruled_off": "the place of teams whose rule is off",
    "nestbind::placement::g_when_new_code": "the row of who is told that code was loaded",
    "nestbind::placement::g_when_size_is_set": "the row of who is told that a rule sets a size",
    "nestbind_noted_region": "written by the hook of __kmpc_fork_call, read at the fork",
    "nestbind::worksharing::g_wanted": "read inline by every fork",
    "nestbind::worksharing::g_start": "looked at inline at every fork",
    "nestbind::team::t_here": "where the calling thread is",
    "nestbind::team::g_followed": "read inline by every fork",
    "nestbind::team::g_path_root": "the root from which members are found by path",
    "nestbind::worksharing::g_clock": "read inline by every time that is taken",
    "nestbind::worksharing::g_nowhere": "where loops are never shared",
    "nestbind::team::g_nowhere": "where there is no memory for a member",
    "nestbind::process::g_armed": "read inline by every hook",
    "nestbind::workers::g_changes_of_any": "compared at every fork",
    "nestbind::workers::t_of_thread": "compared at every fork",
    "nestbind::process::g_traced": "read inline",
    "nestbind::workers::g_mask_changes": "read inline at every call of a worker",
    "nestbind::workers::g_parts": "looked through inline",
    "nestbind::gomp::g_straight": "read inline by every hook of loops",
    "nestbind::gomp::g_global": "read inline by every hook of loops",
    "nestbind::gomp::g_modules": "read inline by every hook of loops",
    "nestbind::gomp::t_loop": "the loop that the calling thread is in, for GCC's entries",
    "nestbind::kmpc::g_straight": "read inline by every hook",
    "nestbind::kmpc::g_global": "read inline by every hook",
    "nestbind::kmpc::g_modules": "read inline by every hook",
    "nestbind::kmpc::g_was_wanted": "read inline by every hook",
    "nestbind::ompt::g_runtimes": "the tool interface's runtimes",
}

# A constant text that is the name of one of our symbols: (file, name) and the reason.
NAMES_IN_TEXTS = {
    ("lib/placement/load_planner.cpp", "nestbind_planner_10"): "border of libnestbind-planner.so",
    ("lib/machine/loading/load_machine.cpp", "nestbind_topology_5"): "border of libnestbind-topology.so",
    ("lib/memory/loading/load_memory.cpp", "nestbind_memory_2"): "border of libnestbind-memory.so",
    ("instrument/pomp-library/opari1/opari1_parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("instrument/pomp-library/opari2/opari2_parallel.cpp", "nestbind_get_region"): "handed on to the next such library",
    ("cli/doctor/doctor.cpp", "omp_set_nesting_info"): "looked for in files",
    ("cli/common/preload.cpp", "omp_set_nesting_info"): "looked for in files",
}


@dataclasses.dataclass
class House:
    """The table and the lists, in the form of the checks."""
    rooms: dict
    hooks_from_inside: dict = dataclasses.field(default_factory=dict)
    function_tables: dict = dataclasses.field(default_factory=dict)
    handed_on: dict = dataclasses.field(default_factory=dict)
    takes_function: dict = dataclasses.field(default_factory=dict)
    shared_variables: dict = dataclasses.field(default_factory=dict)
    names_in_texts: dict = dataclasses.field(default_factory=dict)

    def room_of(self, name):
        """The folder with a row for a file; the file's own folder if there is none."""
        for folder in map(str, pathlib.PurePosixPath(short(name)).parents):
            if folder in self.rooms:
                return folder
        return str(pathlib.PurePosixPath(short(name)).parent)

    def may_know(self, room, name):
        """Whether the files of a folder may use this file."""
        other = self.room_of(name)
        if room == other:
            return True
        # The folders that all may use have only the rights of their own row.
        allowed = self.rooms.get(room, []) + ([] if room in FOR_ALL else FOR_ALL)
        name = short(name)
        return bool({other, name, str(pathlib.PurePosixPath(name).with_suffix(".hpp"))} & set(allowed))


HOUSE = House(ROOMS, HOOKS_FROM_INSIDE, FUNCTION_TABLES, HANDED_ON, TAKES_FUNCTION, SHARED_VARIABLES, NAMES_IN_TEXTS)
