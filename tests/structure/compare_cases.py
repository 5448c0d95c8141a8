# SPDX-License-Identifier: BSD-3-Clause
"""The programs and command lines that compare.py runs. In words and values, {NESTBIND}, {LIBRARY}, {PREFIX}, {FOLDER}, {WORK} and
{MACHINES} are replaced by paths of the version that runs."""

import dataclasses
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

NESTED = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
#pragma omp parallel
#pragma omp parallel
#pragma omp critical
  printf("thread %d.%d of %d.%d\n", omp_get_ancestor_thread_num(1), omp_get_thread_num(), omp_get_team_size(1),
         omp_get_team_size(2));
  return 42;
}
"""

# A program that calls the whole C interface, with good and bad arguments.
INTERFACE = r"""
#include <nestbind/nestbind.h>
#include <omp.h>
#include <stdio.h>
static void ask(const char *where) {
  struct nestbind_place place;
  int cpus[64];
  int error = nestbind_get_place(&place);
  printf("%s: place %d", where, error);
  if (error == 0) {
    printf(" level %d pinned %d core %d package %d numa %d", place.level, place.pinned, place.core, place.package, place.numa);
  }
  printf(" cpus %d\n", nestbind_get_cpus(cpus, 64));
}
static void say(const char *text) {
  char buffer[16] = "";
  printf("[%s] ", text == 0 ? "null" : text);
  printf("set %d ", omp_set_nesting_info(text));
  printf("get %zu ", omp_get_nesting_info(buffer, sizeof buffer));
  printf("%s\n", buffer);
}
int main(void) {
  for (int error = -1; error < 20; ++error) {
    printf("%d %s\n", error, nestbind_strerror(error));
  }
  ask("before");
  printf("no place %d, no room %d %zu\n", nestbind_get_place(0), nestbind_get_cpus(0, 0), omp_get_nesting_info(0, 0));
  const char *texts[] = {0, "", "2", "x,scatter", "2,foo", "0,scatter", "2,scatter@l3", "2,subscatter@x",
                         "2,scatter;", "9999999,scatter", "2,scatter,2,subcompact"};
  for (int i = 0; i < (int)(sizeof texts / sizeof *texts); ++i) {
    say(texts[i]);
  }
#pragma omp parallel
  {
#pragma omp parallel
#pragma omp critical
    ask("inside");
#pragma omp critical
    if (omp_get_thread_num() == 0) {
      say("1,compact");
    }
  }
  ask("after");
  return 0;
}
"""


@dataclasses.dataclass
class Case:
    title: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    writes: str = ""  # a pattern for the names of files that the command writes
    is_text: bool = True

    @property
    def forks(self):
        """Whether the command may run a program with several threads."""
        return self.command[1:2] not in (["plan"], ["doctor"])


def compile_programs(work, prefix, library):
    """Compiles the programs with each compiler that is available. Returns {name: path}."""
    programs = {}
    for compiler in ("gcc", "clang-19"):
        if not shutil.which(compiler):
            continue
        for name, text, flags in (
                ("nested", NESTED, []), ("serial", "int main(void) { return 3; }", []),
                ("interface", INTERFACE, [f"-I{prefix}/include", "-Wl,--no-as-needed", library]),
                ("change", (ROOT / "examples/change_at_run_time.c").read_text(),
                 [f"-I{prefix}/include", "-Wl,--no-as-needed", library])):
            source, program = work / f"{name}.c", work / f"{name}-{compiler}"
            source.write_text(text)
            openmp = [] if name == "serial" else ["-fopenmp"]
            done = subprocess.run([compiler, "-O1", source, *flags, *openmp, "-o", program], capture_output=True, text=True)
            if done.returncode == 0:
                programs[program.name] = program
            else:
                print(f"not compared, {program.name} cannot be compiled: {done.stderr.strip().splitlines()[-1]}")
    script = work / "script"
    script.write_text(f"#!{work}/nested-gcc\n")
    script.chmod(0o755)
    return programs


SPECS = ["2,scatter,2,subcompact", "4,scatter,4,subscatter", "2,compact,core,scatter", "3,subscatter@l3,2,compact", "all,scatter",
         "1,compact"]
BAD_SPECS = ["", " ", "2", "x,scatter", "2,foo", "0,scatter", "-1,scatter", "2,scatter@l3", "2,subscatter@", "2,subscatter@moon",
             "2,scatter;", "2,scatter,", "2,scatter,,2,compact", "99999999999,scatter", "100000,scatter,100000,scatter",
             ",".join(["1,compact"] * 65)]
# For each variable: good values, and bad values.
VALUES = {
    "NESTBIND_CACHE": (["off", "{FOLDER}/cache"], ["", "bad", "relative/folder"]),
    "NESTBIND_CORES": (["auto", "performance", "efficient", "all"], ["", "fast"]),
    "NESTBIND_MACHINE": (["{MACHINES}/hybrid.xml", "pack:2 core:4 pu:2"], ["", "pack:", "{FOLDER}/none.xml"]),
    "NESTBIND_QUIET": (["0", "1"], ["", "yes"]),
    "NESTBIND_QUOTA": (["ignore"], ["", "4"]),
    "NESTBIND_REPORT": (["text", "json", "auto", "picture", "text,now", "text:{FOLDER}/seen", "json,now:{FOLDER}/seen"],
                        ["", "xml", "text:", "text:{FOLDER}/none/seen", "jsonx"]),
    "NESTBIND_RUNTIME": (["llvm"], ["", "gnu"]),
    "NESTBIND_SMT": (["1", "2", "1000"], ["", "0", "1001", "two", "-1"]),
    "NESTBIND_STRICT": (["0", "1"], ["", "2"]),
    "NESTBIND_TEAM_SIZES": (["set", "ignore"], ["", "keep"]),
    "NESTBIND_WORKERS": (["kept", "fresh"], ["", "old"]),
}
RUN_OPTIONS = [["--report"], ["--report=json"], ["--report=text:{FOLDER}/seen"], ["--report=xml"], ["--report=text:"],
               ["--smt", "2"], ["--smt", "0"], ["--cores", "all"], ["--cores", "fast"], ["--runtime", "native"], ["--runtime", "llvm"],
               ["--runtime", "llvm:/none"], ["--runtime", "gnu"], ["--machine", "pack:2 core:4 pu:1"], ["--machine", "/none"],
               ["--machine", ""], ["--sizes", "ignore"], ["--sizes", "set"], ["--sizes", "keep"], ["--strict"], ["--strict=0"],
               ["--strict=2"], ["--library", "/none"], ["--library", "{LIBRARY}"], ["--unknown"]]
PLAN_OPTIONS = [["--format", "xml"], ["--quota", "2"], ["--quota", "0"], ["--cpus", "0-3,8"], ["--cpus", "x"], ["--cpus", "3-1"], ["--cpus", "5000"], ["--smt", "2"],
                ["--smt", "0"], ["--cores", "efficient"], ["--cores", "fast"], ["--unknown"]]


def named(environment):
    return " ".join(f"{name}={value}" for name, value in environment.items())


def case(words, environment=None, **more):
    """Returns a case whose title is the command line."""
    environment = environment or {}
    typed = " ".join(f"'{word}'" if not word or " " in word else word for word in map(str, words))
    return Case(" ".join(filter(None, (named(environment), typed.replace("{NESTBIND}", "nestbind")))), list(words),
                environment, **more)


def plans():
    yield case(["{NESTBIND}"])
    yield case(["{NESTBIND}", "--version"])
    yield case(["{NESTBIND}", "unknown"])
    for subcommand in ([], ["run"], ["plan"], ["doctor"]):
        yield case(["{NESTBIND}", *subcommand, "--help"])
        yield case(["{NESTBIND}", *subcommand])
    for machine in sorted(path.stem for path in (ROOT / "tests/machines").glob("*.xml")):
        for spec in SPECS:
            for form in ("text", "json"):
                yield case(["{NESTBIND}", "plan", "--topology", f"{{MACHINES}}/{machine}.xml", "--format", form, spec])
    for spec in BAD_SPECS:
        yield case(["{NESTBIND}", "plan", spec])
    for options in PLAN_OPTIONS:
        yield case(["{NESTBIND}", "plan", "--topology", "{MACHINES}/hybrid.xml", *options, SPECS[0]])
    for topology in ("pack:2 numa:2 core:4 pu:2", "pack:", "/none.xml", "", "{WORK}/nested.c"):
        yield case(["{NESTBIND}", "plan", "--topology", topology, SPECS[0]])
    yield case(["{NESTBIND}", "plan", SPECS[0]])
    yield case(["{NESTBIND}", "plan", SPECS[0], SPECS[1]])


def runs(program):
    dry = {"NESTBIND_MACHINE": "{MACHINES}/barcelona.xml"}
    preload = {"LD_PRELOAD": "{LIBRARY}"}
    for environment in ({}, dry):
        for form in ("text", "json"):
            for spec in SPECS[:4]:
                yield case(["{NESTBIND}", "run", f"--report={form}", spec, "--", program], environment)
                yield case([program], {**preload, "OMP_NESTING_TEAM_SIZE": spec, "NESTBIND_REPORT": form, **environment})
    for spec in BAD_SPECS:
        yield case(["{NESTBIND}", "run", spec, "--", program])
        yield case(["{NESTBIND}", "run", "--strict", spec, "--", program])
        for strict in ({}, {"NESTBIND_STRICT": "1"}, {"NESTBIND_QUIET": "1"}):
            yield case([program], {**preload, "OMP_NESTING_TEAM_SIZE": spec, **strict})
    for options in RUN_OPTIONS:
        yield case(["{NESTBIND}", "run", *options, SPECS[0], "--", program], writes="seen*")
    for name, (good, bad) in VALUES.items():
        written = {"writes": "cache/*", "is_text": False} if name == "NESTBIND_CACHE" else {"writes": "seen*"}
        for value in good + bad:
            given = {"OMP_NESTING_TEAM_SIZE": SPECS[0], name: value}
            yield case([program], {**preload, **given}, **written)
            yield case(["{NESTBIND}", "run", SPECS[0], "--", program], {name: value}, **written)
            yield case(["{NESTBIND}", "doctor", program], {name: value})
        for value in bad:
            yield case([program], {**preload, **given, "NESTBIND_STRICT": "1", name: value}, **written)
    for others in ({"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"}, {"KMP_AFFINITY": "compact"}, {"OMP_TOOL": "disabled"},
                   {"GOMP_CPU_AFFINITY": "0"}, {"OMP_NUM_THREADS": "3"}, {"OMP_THREAD_LIMIT": "2"}):
        yield case([program], {**preload, **dry, "OMP_NESTING_TEAM_SIZE": SPECS[0], "NESTBIND_REPORT": "text", **others})
        yield case(["{NESTBIND}", "doctor", program], others)


def others(programs):
    for wrong in ("{WORK}/none", "{WORK}/nested.c", "{WORK}", "none-such", "", "{WORK}/script", "/bin/sh"):
        yield case(["{NESTBIND}", "doctor", wrong])
        yield case(["{NESTBIND}", "run", SPECS[0], "--", wrong, *(["-c", "exit 5"] if wrong == "/bin/sh" else [])])
    for options in (["--library", "/none"], ["--library", "{LIBRARY}"], ["--unknown"]):
        yield case(["{NESTBIND}", "doctor", *options, "{WORK}/nested-gcc"])
    yield case(["{NESTBIND}", "run", SPECS[0]])
    for name in programs:
        program = "{WORK}/" + name
        if name.startswith("serial"):
            yield case(["{NESTBIND}", "doctor", program])
            yield case(["{NESTBIND}", "run", SPECS[0], "--", program])
        if name.startswith(("interface", "change")):
            for environment in ({}, {"NESTBIND_MACHINE": "{MACHINES}/barcelona.xml"}, {"NESTBIND_SMT": "x"},
                                {"NESTBIND_MACHINE": "/none"}, {"OMP_NESTING_TEAM_SIZE": "2,compact"}):
                yield case([program], environment)
            yield case(["{NESTBIND}", "doctor", program])


def cases(programs):
    found = [*plans(), *others(programs)]
    for name in programs:
        if name.startswith("nested"):
            found += runs("{WORK}/" + name)
    return list({c.title: c for c in found}.values())
