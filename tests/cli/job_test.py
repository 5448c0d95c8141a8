# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind job with reports of real ranks, and with hostile reports."""
import glob
import json
import os
import unittest

from support import LIBRARY, TestCase, machine, nestbind

PLAIN = {"LC_ALL": "C"}


def team(rank, paths, cpus, level=1, host="n0", process=None, spec="2,scatter", **more):
    """Returns a line of a report, in the library's format."""
    threads = [{"path": path, "thread": 7, "cpus": [cpu] if isinstance(cpu, int) else cpu, "bound": True, "pinned": True, "core": None,
                "l3": None, "package": None, "numa": None} for path, cpu in zip(paths, cpus)]
    return json.dumps({"spec": spec, "process": process or 100 + (rank or 0), "host": host, "rank": rank, **more, "level": level,
                       "threads": threads}) + "\n"


class Job(TestCase):
    def run_ranks(self, specs, variable="OMPI_COMM_WORLD_RANK"):
        """Makes dry runs of nested 2x2 teams on Barcelona. Returns the reports' names."""
        program = self.compile("forking", "-fopenmp")
        folder = os.path.join(self.folder, self.id())
        os.makedirs(folder, exist_ok=True)
        for number, spec in enumerate(specs):
            done = nestbind("run", "--library", LIBRARY, "--machine", machine("barcelona"), f"--report=json:{folder}/r-%h-%r", spec, "--",
                            program, env={variable: str(number)})
            self.assertStatus(done, 42)
        return sorted(glob.glob(folder + "/r-*"))

    def test_overlapping_ranks(self):
        files = self.run_ranks(["2,scatter,2,subcompact"] * 2)
        self.assertEqual(len(files), 2)
        done = nestbind("job", *files, env=PLAIN)
        host = os.uname().nodename
        self.assertStatus(done, 1)
        self.assertEqual(done.stdout, f"""2 ranks on 1 node, 8 threads: 2,scatter,2,subcompact

{host}: ranks 0-1; 8 threads on 4 of 16 processors
  not told: ranks 0-1
  package 0, NUMA node 0
     0  0:0.0  1:0.0  !
     1  0:0.1  1:0.1  !
     2  .
     3  .
  package 1, NUMA node 1
     4  .
     5  .
     6  .
     7  .
  package 2, NUMA node 2
     8  0:1.0  1:1.0  !
     9  0:1.1  1:1.1  !
    10  .
    11  .
  package 3, NUMA node 3
    12  .
    13  .
    14  .
    15  .

overlap {host}: processors 0-1,8-9 have threads of ranks 0-1
idle    {host}: package 1 is idle (processors 4-7)
idle    {host}: package 3 is idle (processors 12-15)
""")
        self.assertEqual(done.stderr, "")

    def test_one_rank_and_a_gap(self):
        done = nestbind("job", *self.run_ranks(["4,scatter,4,subcompact"] * 2)[1:], env=PLAIN)
        self.assertStatus(done, 0)
        self.assertIn("\n     5  1:1.1\n", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "missing no report of rank 0: it is missing, no team was forked there, or several ranks wrote to one file")

    def test_json(self):
        files = self.run_ranks(["2,scatter,2,subcompact", "4,scatter,2,subcompact"])
        done = nestbind("job", "--json", *files)
        self.assertStatus(done, 1)
        told = json.loads(done.stdout)
        self.assertEqual([(rank["rank"], rank["sizes"], rank["threads"], rank["file"], rank["allowed"]) for rank in told["ranks"]],
                         [(0, "2x2", 4, files[0], None), (1, "4x2", 8, files[1], None)])
        self.assertEqual(told["nodes"][0]["processors"][8], {
            "cpu": 8, "core": 8, "package": 2, "numa": 2, "threads": [{"rank": 0, "path": [1, 0]}, {"rank": 1, "path": [2, 0]}]})
        self.assertEqual([(finding["kind"], finding["ranks"], finding["cpus"]) for finding in told["findings"]],
                         [("overlap", [0, 1], [0, 1, 8, 9]), ("differs", [1], [])])

    def test_ranks_on_two_nodes_do_not_overlap(self):
        files = [self.file(f"two-{node}", team(rank, [[0], [1]], [0, 1], host=node)) for rank, node in enumerate(("n0", "n1"))]
        done = nestbind("job", *files, env=PLAIN)
        self.assertStatus(done, 0)
        self.assertEqual(done.stdout, """2 ranks on 2 nodes, 4 threads: 2,scatter

n0: rank 0; 2 threads on 2 processors
  package not known
    0  0:0
    1  0:1

n1: rank 1; 2 threads on 2 processors
  package not known
    0  1:0
    1  1:1

nothing is wrong: no two ranks share a processor, and all are alike
""")
        named = [self.file(f"named-{rank}", team(rank, [[0], [1]], [0, 1], node={"name": f"n{rank}"})) for rank in (0, 1)]
        self.assertEqual(nestbind("job", *named, env=PLAIN).stdout, done.stdout)

    def test_nodes_of_one_host(self):
        """Two nodes of Slurm may be on one host. So `nestbind job` must use Slurm's names of the nodes."""
        program = self.compile("forking", "-fopenmp")
        for rank in (0, 1):
            done = nestbind("run", "--library", LIBRARY, "--machine", machine("barcelona"), f"--report=json:{self.folder}/slurm-%h-%r",
                            "2,scatter,2,subcompact", "--", program, env={"SLURM_PROCID": str(rank), "SLURMD_NODENAME": f"node{rank}"})
            self.assertStatus(done, 42)
        done = nestbind("job", "--json", *glob.glob(self.folder + "/slurm-*"))
        self.assertStatus(done, 0)
        told = json.loads(done.stdout)
        self.assertEqual([(rank["node"], rank["host"]) for rank in told["ranks"]], [(f"node{rank}", os.uname().nodename) for rank in (0, 1)])

    def test_divided(self):
        """The table must show the part of each rank, and the parts must not overlap."""
        program = self.compile("forking", "-fopenmp")
        files = []
        for rank in (0, 1):
            files.append(f"{self.folder}/divided-{rank}")
            done = nestbind("run", "--library", LIBRARY, "--machine", machine("barcelona"), f"--report=json:{files[-1]}",
                            "2,scatter,2,subcompact", "--", program, env={"PMI_RANK": str(rank), "NESTBIND_RANKS": f"{rank}/2"})
            self.assertStatus(done, 42)
        done = nestbind("job", "--json", *files)
        self.assertStatus(done, 0)
        told = json.loads(done.stdout)
        self.assertEqual([(rank["part"]["local"], rank["part"]["of"], rank["part"]["by"], rank["part"]["kind"]) for rank in told["ranks"]],
                         [(0, 2, "NESTBIND_RANKS", "divided"), (1, 2, "NESTBIND_RANKS", "divided")])
        self.assertEqual([rank["allowed"] for rank in told["ranks"]], [list(range(8)), list(range(8, 16))])
        self.assertEqual([rank["cpus"] for rank in told["ranks"]], [[0, 1, 4, 5], [8, 9, 12, 13]])
        self.assertEqual(told["findings"], [])
        self.assertIn("  divided: ranks 0-1\n", nestbind("job", *files).stdout)

    def test_on_the_kernel(self):
        """The table must show the processors of each rank, and the idle package beside them."""
        cpus = sorted(os.sched_getaffinity(0))[:2]
        if len(cpus) < 2:
            self.skipTest("one processor")
        program = self.compile("forking", "-fopenmp")
        for rank, cpu in enumerate(cpus):
            self.assertStatus(nestbind("run", "--library", LIBRARY, "--cpus", str(cpu), f"--report=json:{self.folder}/kernel-%r",
                                       "1,scatter,2,subcompact", "--", program, env={"PMI_RANK": str(rank)}), 42)
        done = nestbind("job", "--json", f"{self.folder}/kernel-0", f"{self.folder}/kernel-1")
        self.assertStatus(done, 0)
        told = json.loads(done.stdout)
        self.assertEqual([rank["allowed"] for rank in told["ranks"]], [[cpu] for cpu in cpus])
        self.assertEqual([rank["cpus"] for rank in told["ranks"]], [[cpu] for cpu in cpus])
        threads = {processor["cpu"]: processor["threads"] for processor in told["nodes"][0]["processors"]}
        for rank, cpu in enumerate(cpus):
            self.assertEqual(threads[cpu], [{"rank": rank, "path": [0, 0]}, {"rank": rank, "path": [0, 1]}])
        self.assertEqual([finding["kind"] for finding in told["findings"] if finding["kind"] != "idle"], ["crowded"] * 2)

    def test_files_without_teams(self):
        good = self.file("good", team(0, [[0], [1]], [0, 1]))
        pipe = os.path.join(self.folder, "pipe")
        if not os.path.exists(pipe):
            os.mkfifo(pipe)
        large = os.path.join(self.folder, "large")
        with open(large, "w", encoding="ascii") as file:
            file.truncate((16 << 20) + 1)
        for name, fault in ((pipe, "no regular file"), (self.folder, "Is a directory"), ("/dev/zero", "no regular file"),
                            (large, "File too large"), (os.path.join(self.folder, "none"), "No such file or directory"),
                            (self.file("empty", ""), "it has no team"),
                            (self.file("text", "nestbind: level 1\n"), "line 1: it is incomplete, or no object of JSON"),
                            (self.file("table", "nestbind: process 4 on n0\nnestbind: level 1, team of 2\n"), "this report is text; a report in JSON is needed (--report=json:FILE)"),
                            (self.file("cut", team(1, [[0], [1]], [0, 1])[:80]), "line 1: it is incomplete, or no object of JSON"),
                            (self.file("a\x1b[2Jb", ""), "it has no team")):
            with self.subTest(name):
                shown = name.replace("\x1b", "\\x1b")
                done = nestbind("job", good, name, env=PLAIN)
                self.assertStatus(done, 1)
                self.assertEqual(done.stdout.splitlines()[-1], f"file    {shown}: {fault}")
                self.assertIn("\n    0  0:0\n", done.stdout)
                alone = nestbind("job", name)
                self.assertStatus(alone, 1)
                hint = "" if os.path.exists(name) else \
                    "nestbind: each rank writes such a file: nestbind run --report=json:report-%h-%r SPEC -- program\n"
                self.assertEqual((alone.stdout, alone.stderr), ("", f"nestbind: {shown}: {fault}\n{hint}"))
                self.assertEqual(json.loads(nestbind("job", "--json", name).stdout)["ranks"], [])

    def test_a_file_is_read_once(self):
        good = self.file("good", team(0, [[0], [1]], [0, 1]))
        self.assertEqual(nestbind("job", good, good).stdout, nestbind("job", good).stdout)

    def test_processors_in_folded_tables(self):
        cores = [{"core": cpu, "package": cpu // 32, "numa": None, "cpus": [cpu]} for cpu in range(64)]
        files = [self.file(f"fold-{rank}", team(rank, [[0], [1]], [32 * rank, 32 * rank + 1], node={"cores": cores})) for rank in (0, 1)]
        folded = nestbind("job", *files, env=PLAIN)
        self.assertStatus(folded, 0)
        self.assertIn("     2 to 31  .\n  package 1: processors 32-63, alike, 1:0 to 1:1\n", folded.stdout)
        self.assertEqual(nestbind("job", "--all", *files, env=PLAIN).stdout.count("\n"), 64 + 2 + 3 + 2)

    def test_words(self):
        self.assertStatus(nestbind("job"), 2)
        self.assertStatus(nestbind("job", "--none", "file"), 2)
        done = nestbind("-c", '"$0" job "$1" >/dev/full', os.environ["NESTBIND_TEST_COMMAND"], self.file("good", team(0, [[0]], [0])), command="sh")
        self.assertStatus(done, 1)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    unittest.main()
