# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind topology."""
import json
import os
import re
import shutil
import subprocess
import unittest

from support import INCLUDE, LIBRARY, ROOT, TestCase, environment, machine, nestbind

MODULES = [os.path.join(INCLUDE, "nestbind", name) for name in ("nestbind.f90", "nestbind_topology.f90")]
NESTBIND = [LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY)]
PROBED = machine("barcelona-probed")
NONE_MEASURED = ("nestbind: warning: no distances were measured (nestbind probe --save, or --xml for a file): the firmware's are used, if there "
                 "are any\n")


def read(*names):
    with open(os.path.join(ROOT, *names), encoding="utf-8") as file:
        return file.read()


def topology(*arguments, **keywords):
    return nestbind("topology", *arguments, **keywords)


def read_json(*arguments, **keywords):
    process = topology("--format", "json", *arguments, **keywords)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


class Text(TestCase):
    def assertPrints(self, process, text):
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, text, ""))

    def test_hops(self):
        self.assertPrints(topology("--hops", "--machine", PROBED), """\
4 packages, 4 NUMA nodes, 16 cores, 16 processors
16 slots: 4 packages x 4 cores

hops between NUMA nodes
  node  0  1  2  3
     0  0  1  1  2
     1  1  0  2  1
     2  1  2  0  1
     3  2  1  1  0
""")

    def test_measured_distances(self):
        self.assertPrints(topology("--machine", PROBED, "--distances", "probed"), """\
4 packages, 4 NUMA nodes, 16 cores, 16 processors, distances: probed
16 slots: 4 packages x 4 cores

hops between NUMA nodes
  node  0  1  2  3
     0  0  2  3  1
     1  2  0  1  3
     2  3  1  0  2
     3  1  3  2  0

distances, measured, in nanoseconds
  node    0    1    2    3
     0   90  201  260  132
     1  200   90  131  262
     2  259  133   91  203
     3  130  261  204   92

NUMA factors
  node     0     1     2     3
     0  1.00  2.23  2.89  1.47
     1  2.22  1.00  1.46  2.91
     2  2.85  1.46  1.00  2.23
     3  1.41  2.84  2.22  1.00
""")

    def test_without_distances(self):
        self.assertPrints(topology("--machine", "pack:2 [numa] core:2 pu:1"), """\
2 packages, 2 NUMA nodes, 4 cores, 4 processors
4 slots: 2 packages x 2 cores

hops between NUMA nodes
  node  0  1
     0  0  1
     1  1  0

The machine reports no distances: any other node is one hop away.
""")
        self.assertEqual(topology("--hops", "--machine", "pack:2 [numa] core:2 pu:1").stdout,
                         topology("--machine", "pack:2 [numa] core:2 pu:1").stdout)

    def test_coordinates(self):
        self.assertPrints(topology("--coordinates", "--machine", PROBED, "--cpus", "0-2,9"), """\
2 packages, 2 NUMA nodes, 4 cores, 4 processors
4 slots: 2 packages x 3 cores

  slot  coordinates  package  node  core  processors
     0          0 0        0     0     0           0
     1          0 1        0     0     1           1
     2          0 2        0     0     2           2
     3          1 0        2     2     9           9
""")

    def test_threads_on_slots(self):
        for words, env in ((["2,scatter,2,subcompact"], {}), ([], {"OMP_NESTING_TEAM_SIZE": "2,scatter,2,subcompact"})):
            lines = topology("--coordinates", *words, "--machine", "pack:2 core:2 pu:2", env=env).stdout.splitlines()
            self.assertEqual([line.split() for line in lines[3:]], [
                ["slot", "coordinates", "package", "node", "core", "processors", "thread"],
                ["0", "0", "0", "0", "0", "0", "{0,1}", "0.0"], ["1", "0", "1", "0", "0", "1", "{2,3}", "0.1"],
                ["2", "1", "0", "1", "0", "2", "{4,5}", "1.0"], ["3", "1", "1", "1", "0", "3", "{6,7}", "1.1"]])

    def test_threads_in_another_order(self):
        """nestbind_get_slot() must return the same slots as nestbind topology."""
        order = self.file("order", "team: 0 3 2 1\n")
        for words, env in ((["--order", order], {}), ([], {"NESTBIND_ORDER": order})):
            process = topology("--coordinates", "4,compact", *words, "--machine", "pack:2 core:2 pu:1", env=env)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertEqual([line.split()[-1] for line in process.stdout.splitlines()[4:]], ["0", "3", "2", "1"])
            out = read_json("4,compact", *words, "--machine", "pack:2 core:2 pu:1", env=env)
            self.assertEqual([slot["path"] for slot in out["slots"]], [[0], [3], [2], [1]])
        other = topology("2,compact", "--order", order, "--machine", "pack:2 core:2 pu:1")
        self.assertEqual((other.returncode, other.stderr.count("is for other teams")), (0, 1))
        bad = self.file("bad", "team: 1 0\n")
        self.assertStatus(topology("2,compact", "--order", bad, "--machine", "pack:2 core:2 pu:1"), 2)

    def test_a_specification_may_have_other_slots(self):
        for words, slots in (([], "4 slots: 2 packages x 2 cores"), (["8,scatter"], "8 slots: 2 packages x 2 cores x 2 slots of a core"),
                             (["--smt", "2"], "8 slots: 2 packages x 2 cores x 2 slots of a core")):
            self.assertEqual(topology(*words, "--machine", "pack:2 core:2 pu:2").stdout.splitlines()[1], slots)

    def test_one_node(self):
        self.assertPrints(topology("--machine", "pack:1 core:2 pu:1"), """\
1 package, 1 NUMA node, 2 cores, 2 processors
2 slots: 2 cores

There is one NUMA node, so there are no distances.
""")

    def test_this_machine(self):
        process = topology("--hops", "--coordinates")
        self.assertStatus(process, 0)
        self.assertIn("hops between NUMA nodes\n  node  0", process.stdout)
        self.assertIn("\n\n  slot  ", process.stdout)

    def test_refused(self):
        for words in (["--hopps"], ["4,scater"], ["--distances", "slit"], ["--machine", PROBED, "--cpus", "99"]):
            with self.subTest(words):
                process = topology(*words)
                self.assertStatus(process, 2)
                self.assertEqual(process.stdout, "")
        self.assertStatus(topology("--machine", "nosuch.xml"), 1)


class Json(TestCase):
    def test_keys_and_values(self):
        out = read_json("--machine", PROBED, "2,scatter")
        self.assertEqual(list(out), ["machine", "dimensions", "distances", "nodes", "logical", "hops", "distance", "numa_factor", "slots"])
        self.assertEqual(out["dimensions"], [{"kind": "package", "size": 4}, {"kind": "core", "size": 4}])
        self.assertEqual((out["distances"], out["nodes"], out["hops"][1]), ("firmware", [0, 1, 2, 3], [1, 0, 2, 1]))
        self.assertEqual((out["distance"][3], out["numa_factor"][0]), ([22, 16, 16, 10], [1.0, 1.6, 1.6, 2.2]))
        self.assertEqual(out["slots"][8], {"slot": 8, "coordinates": [2, 0], "cpus": [8], "core": 8, "package": 2, "numa": 2, "path": [1]})
        self.assertIsNone(out["slots"][9]["path"])

    def test_nodes_have_the_kernels_numbers(self):
        out = read_json("--machine", "pack:2 [numa(indexes=8,0)] core:1 pu:1")
        self.assertEqual((out["nodes"], out["logical"], [slot["numa"] for slot in out["slots"]]), ([0, 8], [1, 0], [8, 0]))

    def test_kind_of_distances(self):
        probed = read_json("--machine", PROBED, env={"NESTBIND_MACHINE_DISTANCES": "probed"})
        self.assertEqual((probed["distances"], probed["distance"][0]), ("probed", [90, 201, 260, 132]))
        none = read_json("--machine", machine("barcelona"))
        self.assertEqual((none["distances"], none["distance"], none["numa_factor"][0]), ("none", None, [1.0, None, None, None]))


class Details(TestCase):
    def test_caches_and_memory(self):
        found = read_json("--details", "--machine", machine("barcelona"))
        self.assertEqual(found["caches"], [{"kind": "L2", "kib": 512, "cores": 1, "caches": 16}, {"kind": "L3", "kib": 2048, "cores": 4, "caches": 4}])
        self.assertEqual(found["memory"], [{"node": node, "mib": 8192} for node in range(4)])
        found = read_json("--details", "--machine", machine("laptop"))
        self.assertEqual([one["cores"] for one in found["caches"]], [1, 4, 14])
        rows = topology("--details", "--machine", machine("laptop")).stdout.splitlines()
        self.assertEqual([row.split() for row in rows[1:4]], [["L2", "1280", "KiB", "1", "6"], ["L2", "2", "MiB", "4", "2"], ["L3", "24", "MiB", "14", "1"]])


    def test_what_is_not_described_is_said_instead_of_an_empty_table(self):
        for machine_text, wanted in (("pack:2 core:2 pu:1", ["l3:1(size=8MB)", "1.0 GiB"]), ("pack:2 [numa] l3:1 core:2 pu:1", ["L3", "numa:1(memory=8GB)"])):
            parts = topology("--details", "--machine", machine_text).stdout.split("\n\n")
            self.assertEqual([word in part for word, part in zip(wanted, parts, strict=True)], [True, True], parts)
            self.assertNotIn("-", parts[1].split())


class Apart(TestCase):
    def test_choices_do_not_go_together(self):
        for words in (["--details", "--devices"], ["--details", "--hops"], ["--devices", "--format", "record"], ["--hops", "--format=record"],
                      ["--devices", "--coordinates"]):
            with self.subTest(words):
                found = topology("--machine", "core:3 pu:1", *words)
                self.assertEqual((found.returncode, found.stdout, found.stderr.count("nestbind: ")), (2, "", 1))
        self.assertEqual(topology("--machine", "core:3 pu:1", "--hops", "--coordinates").returncode, 0)


class Record(TestCase):
    def test_record_begins_with_the_processors(self):
        for words, allowed in (([], [1, 1, 1]), (["--cpus", "0,2"], [1, 0, 1])):
            record = topology("--format", "record", "--machine", "core:3 pu:1", *words)
            self.assertEqual((record.returncode, record.stderr, record.stdout.count("\n")), (0, "", 1))
            data = bytes.fromhex(record.stdout)
            numbers = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
            self.assertEqual(numbers[:10], [3, 0, 1, 2, 3, *allowed, 0, 1])


class Distances(TestCase):
    """Tests NESTBIND_MACHINE_DISTANCES, and the messages about this variable."""

    def test_plan(self):
        for words, row, summary in (([], "0 1 2 3 4 5", ""), (["--distances", "firmware"], "0 1 2 3 4 5", ""),
                                    (["--distances", "probed"], "0 1 2 3 12 13", ", distances: probed")):
            process = nestbind("plan", "--format", "text", "1,scatter,6,compact", "--machine", PROBED, *words)
            self.assertEqual(process.stderr, "")
            self.assertTrue(process.stdout.splitlines()[-1].endswith("  " + row), process.stdout)
            self.assertEqual(process.stdout.splitlines()[0],
                             f"4 packages, 4 NUMA nodes, 16 cores, 16 processors{summary}; 16 slots; 1,scatter,6,compact")
            picture = nestbind("plan", "--format", "picture", "1,scatter,6,compact", "--machine", PROBED, *words).stdout
            self.assertEqual("distances: probed" in picture, summary != "")
            told = json.loads(nestbind("plan", "--format", "json", "2,scatter", "--machine", PROBED, *words).stdout)
            self.assertEqual(told.get("distances"), "probed" if summary else None)

    def test_missing_measurements_are_reported(self):
        process = nestbind("plan", "--format", "text", "2,scatter", "--machine", machine("grouped"), "--distances", "probed")
        self.assertEqual((process.returncode, process.stderr), (0, NONE_MEASURED))
        self.assertNotIn("probed", process.stdout)
        self.assertEqual(topology(env={"NESTBIND_MACHINE_DISTANCES": "probed", "NESTBIND_QUIET": "1"}).stderr, "")

    def test_report_of_a_program(self):
        program = self.compile("forking", "-fopenmp")
        report = os.path.join(self.folder, "report")
        for form, told in (("text", "nestbind: distances: probed\n"), ("json", '"distances": "probed", ')):
            for which, count in (("probed", 1), ("firmware", 0)):
                process = nestbind("run", "--library", LIBRARY, "--machine", PROBED, "--distances", which, f"--report={form}:{report}",
                                   "2,scatter,2,subcompact", program)
                self.assertStatus(process, 42)
                text = read(report)
                self.assertEqual(text.count(told) > 0, count > 0, text)

    def test_missing_measurements_are_reported_once(self):
        process = nestbind("run", "--library", LIBRARY, "--machine", machine("barcelona"), "--distances", "probed",
                           "2,scatter,2,subcompact", self.compile("forking", "-fopenmp"))
        self.assertStatus(process, 42)
        self.assertEqual(process.stderr.count(NONE_MEASURED), 1, process.stderr)
        self.assertEqual(process.stderr.count("measured"), 1, process.stderr)


class Programs(TestCase):
    """The examples of nestbind/topology.h in the manual and in examples/ must compile without changes, and run."""

    # Six threads are on four packages that are the corners of a square. The fourth package is opposite to the first.
    EXAMPLE = """\
16 slots: 4 x 4
thread 0 on slot 0: 1 (0) 2 (1) 3 (1) 4 (1) 5 (2)
thread 1 on slot 2: 0 (0) 2 (1) 3 (1) 4 (1) 5 (2)
thread 2 on slot 4: 3 (0) 0 (1) 1 (1) 5 (1) 4 (2)
thread 3 on slot 6: 2 (0) 0 (1) 1 (1) 5 (1) 4 (2)
thread 4 on slot 8: 0 (1) 1 (1) 5 (1) 2 (2) 3 (2)
thread 5 on slot 12: 2 (1) 3 (1) 4 (1) 0 (2) 1 (2)
"""

    def fortran(self, name, source):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        program = os.path.join(self.folder, name)
        done = subprocess.run(["gfortran", "-fopenmp", "-J", self.folder, *MODULES, source, "-o", program, *NESTBIND], capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def assertExample(self, program):
        env = environment(OMP_NESTING_TEAM_SIZE="6,scatter", NESTBIND_MACHINE=PROBED)
        process = subprocess.run([program], env=env, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, self.EXAMPLE, ""))

    def test_example_in_c(self):
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler) is not None:
                self.assertExample(self.compile("example-" + compiler, "-fopenmp", "-I" + INCLUDE, *NESTBIND, compiler=compiler,
                                                source=read("examples", "nearest_thread.c")))

    def test_example_in_fortran(self):
        self.assertExample(self.fortran("example", os.path.join(ROOT, "examples", "nearest_thread.f90")))

    def test_examples_with_shared_slots_and_without_slots(self):
        programs = [self.compile("sharing", "-fopenmp", "-I" + INCLUDE, *NESTBIND, source=read("examples", "nearest_thread.c"))]
        if shutil.which("gfortran") is not None:
            programs.append(self.fortran("sharing-fortran", os.path.join(ROOT, "examples", "nearest_thread.f90")))
        for program in programs:
            run = {"capture_output": True, "encoding": "utf-8", "check": False}
            shared = {"OMP_NESTING_TEAM_SIZE": "4,scatter", "NESTBIND_MACHINE": "pack:2 core:1 pu:1", "NESTBIND_QUIET": "1"}
            self.assertEqual(subprocess.run([program], env=environment(**shared), **run).stdout, """\
2 slots: 2
thread 0 on slot 0: 1 (0) 2 (0) 3 (0)
thread 1 on slot 0: 0 (0) 2 (0) 3 (0)
thread 2 on slot 1: 3 (0) 0 (0) 1 (0)
thread 3 on slot 1: 2 (0) 0 (0) 1 (0)
""")
            unbound = subprocess.run([program], env=environment(OMP_NUM_THREADS="2"), **run)
            self.assertEqual(unbound.stdout.splitlines()[1:], [f"thread {i} has no slot: is a specification in force?" for i in range(2)])

    def test_displays_of_the_manual(self):
        page = read("docs", "man", "nestbind-topology.3").replace("\\e", "\\")
        in_c, in_fortran, _, _, device, devices = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", page, re.M | re.S)
        included, _, body = in_c.partition("\n")
        source = f"{included}\n#include <omp.h>\n#define TEAM 4\nint main(void) {{\n{body}return 0; }}\n"
        shown = self.compile("shown", "-fopenmp", "-I" + INCLUDE, *NESTBIND, source=source)
        self.assertEqual(subprocess.run([shown], env=environment(OMP_NESTING_TEAM_SIZE="4,scatter"), check=False).returncode, 0)
        header = re.sub(r" */\*.*?\*/", "", read("include", "nestbind", "topology.h"), flags=re.S)
        self.assertIn(device, header)
        source = f"#include <nestbind/topology.h>\n#include <stdio.h>\nint main(void) {{\n{devices}return count < 0; }}\n"
        found = self.compile("devices", "-I" + INCLUDE, *NESTBIND, source=source)
        self.assertEqual(subprocess.run([found], env=environment(NESTBIND_MACHINE=PROBED), capture_output=True, check=False).returncode, 0)
        declared, _, done = in_fortran.partition("\n\n")
        program = self.fortran("shown-fortran", self.file("shown.f90", f"program shown\n{declared}\n{done}\nend program\n"))
        process = subprocess.run([program], env=environment(NESTBIND_MACHINE=PROBED), capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((process.returncode, process.stdout.split(), process.stderr), (0, ["dimensions", "4", "4"], ""))

    def test_header_in_old_standards(self):
        self.assertInOldStandards("nestbind/topology.h")

    def test_forked_children_can_ask(self):
        """Child processes ask for places while threads of their parent also ask for places."""
        program = self.compile("forks", "-pthread", "-I" + INCLUDE, *NESTBIND, source="""
#include <nestbind/topology.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int is_over;
static void *ask(void *unused) {
  struct nestbind_place place;
  while (!is_over) nestbind_place_of_slot(0, &place);
  return unused;
}
int main(void) {
  struct nestbind_place place;
  pthread_t threads[3];
  int failed = nestbind_place_of_slot(0, &place);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, ask, 0);
  for (int i = 0; i < 300 && !failed; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(nestbind_place_of_slot(0, &place));
    }
    waitpid(child, &failed, 0);
  }
  is_over = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return failed != 0;
}
""")
        for specification in ("", "1,compact"):
            with self.subTest(specification):
                process = subprocess.run([program], env=environment(**({"OMP_NESTING_TEAM_SIZE": specification} if specification else {})),
                                         capture_output=True, encoding="utf-8", timeout=30, check=False)
                self.assertEqual((process.returncode, process.stderr), (0, ""))

    def test_unreadable_machine_is_reported(self):
        """Every call must fail, and one message must say why."""
        program = self.compile("refused", "-I" + INCLUDE, *NESTBIND, source="""
#include <nestbind/topology.h>
int main(void) {
  int order[1] = {0};
  struct nestbind_place place;
  return !(nestbind_topology_slots() == -1 && nestbind_topology_hops(0, 0) == -1 && nestbind_get_slot() == -1 &&
           nestbind_topology_dims(0, 0) == -1 && nestbind_topology_distance(0, 0) == -1 && nestbind_slot_of_path(0, 0) == -1 &&
           nestbind_topology_sort(0, order, 1, order) == NESTBIND_NO_MACHINE &&
           nestbind_place_of_slot(0, &place) == NESTBIND_NO_MACHINE);
}""")
        for extra in ({}, {"OMP_NESTING_TEAM_SIZE": "2,scatter"}):
            process = subprocess.run([program], env=environment(NESTBIND_MACHINE="/nonexistent.xml", **extra), capture_output=True,
                                     encoding="utf-8", check=False)
            self.assertEqual((process.returncode, process.stdout), (0, ""))
            self.assertEqual(process.stderr.count("there is no file '/nonexistent.xml'"), 1, process.stderr)


class Hybrid(TestCase):
    def test_without_a_specification_all_kinds_of_cores_count(self):
        self.assertIn("\n6 slots: 6 cores\n", topology("--format=text", "--machine", machine("hybrid")).stdout)


if __name__ == "__main__":
    unittest.main()
