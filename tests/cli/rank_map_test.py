# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind map for the ranks of a job on several nodes, and the picture of nestbind job."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from support import TestCase, environment, nestbind

# A launch agent: a launcher starts each daemon of another node here, under the node's name.
AGENT = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -*) shift;; *) break;; esac; done
FAKE_HOST=$1; export FAKE_HOST; shift
exec sh -c "$*"
"""
RANK = """#!/bin/sh
echo "@ ${PMI_RANK}${OMPI_COMM_WORLD_RANK} $FAKE_HOST"
"""
TREE = "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=core Switches=s[0-1]\n"


def scrambled(rows, columns, seed):
    """Returns the pairs of a grid whose ranks have random numbers."""
    names = list(range(rows * columns))
    random.Random(seed).shuffle(names)
    text = ""
    for i in range(rows):
        for j in range(columns):
            for other in ((i + 1, j), (i, j + 1)):
                if other[0] < rows and other[1] < columns:
                    text += f"{names[i * columns + j]} {names[other[0] * columns + other[1]]} 1\n"
    return text


class RankMap(TestCase):
    def map(self, *words, **variables):
        return nestbind("map", *words, env=environment(**variables) if variables else None)

    def read_json(self, *words, **variables):
        process = self.map("--format=json", *words, **variables)
        self.assertStatus(process, 0)
        return json.loads(process.stdout)

    def refused(self, *words, status=2, **variables):
        """Checks that there is one message, and returns it."""
        process = self.map(*words, **variables)
        self.assertStatus(process, status)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("nestbind: "), 1, process.stderr)
        return process.stderr

    def caret(self, *words):
        """Returns the column of the caret, from 0."""
        message = self.refused(*words)
        line = message.splitlines()[-1]
        self.assertEqual(line.strip(), "^", message)
        return len(line) - len("  ^")

    def recorded(self, name, ranks, messages, end="# end\n"):
        """Writes a folder of traffic: messages has (from, to): bytes."""
        for rank in range(ranks):
            lines = "".join(f"E\t{by}\t{to}\t{size} bytes\t1 msgs sent\n" for (by, to), size in messages.items() if by == rank)
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
            self.file(os.path.join(name, f"traffic.{rank}.prof"), f"# nestbind: rank {rank} of {ranks} on n0\n{lines}{end}")
        return os.path.join(self.folder, name)

    def test_blocks(self):
        for grid, each, rows, blocks in (("16px16px16p", 64, 5120, 3072), ("16x16x16", 64, 4608, 2304), ("16x16p", 16, 256 - 16, 112),
                                         ("16px16p", 16, 256, 128)):
            found = self.read_json("--grid", grid, "--ranks-per-node", str(each))
            self.assertEqual(found["after"]["between_nodes"], blocks, grid)
            self.assertEqual(found["before"]["between_nodes"], rows, grid)
            self.assertEqual(sorted(rank for node in found["nodes"] for rank in node["ranks"]), list(range(found["ranks"])))
            self.assertTrue(all(len(node["ranks"]) == each for node in found["nodes"]))

    def test_text(self):
        process = self.map("--grid", "8x8p", "--nodes", "n[0-7]", "--network", "torus:2x2x2")
        self.assertStatus(process, 0)
        for words in ("between nodes +56 .* +40 ", "hop-bytes +88 +40", "busiest link +8 +2", "n0 +32-33,40-41,48-49,56-57"):
            self.assertRegex(process.stdout, words)

    def test_uneven_nodes(self):
        found = self.read_json("--grid", "10x10", "--nodes", "a,b,c", "--ranks-per-node", "40,40,20")
        self.assertEqual([len(node["ranks"]) for node in found["nodes"]], [40, 40, 20])
        found = self.read_json("--grid", "10x10", "--nodes", "a,b,c")
        self.assertEqual([len(node["ranks"]) for node in found["nodes"]], [34, 33, 33])
        self.assertLessEqual(found["after"]["between_nodes"], found["before"]["between_nodes"])

    def test_the_nodes_of_a_job(self):
        found = self.read_json("--grid", "4x4", SLURM_JOB_NODELIST="x[1-3]", SLURM_TASKS_PER_NODE="6(x2),4")
        self.assertEqual([(node["name"], len(node["ranks"])) for node in found["nodes"]], [("x1", 6), ("x2", 6), ("x3", 4)])
        hosts = self.file("pbs", "p1\np1\np2\np2\n")
        found = self.read_json("--grid", "2x2", PBS_NODEFILE=hosts)
        self.assertEqual([(node["name"], len(node["ranks"])) for node in found["nodes"]], [("p1", 2), ("p2", 2)])
        hosts = self.file("hosts", "# hosts\nh1 slots=3\nh2:1\n")
        found = self.read_json("--grid", "2x2", "--nodes", hosts)
        self.assertEqual([(node["name"], len(node["ranks"])) for node in found["nodes"]], [("h1", 3), ("h2", 1)])

    def test_pairs(self):
        pairs = self.file("pairs", scrambled(8, 8, 1))
        found = self.read_json("--communication", pairs, "--nodes", "n[0-7]", "--ranks-per-node", "8", "--network", self.file("tree", TREE))
        self.assertLessEqual(found["after"]["between_nodes"], 1.1 * 40)
        self.assertEqual(found["traffic"], 112)

    def test_recorded_traffic(self):
        messages = {}
        for rank in range(16):
            messages[rank, (rank + 8) % 16] = 100
        folder = self.recorded("traffic", 16, messages)
        found = self.read_json("--communication", folder, "--ranks-per-node", "4")
        self.assertEqual((found["before"]["between_nodes"], found["after"]["between_nodes"]), (1600, 0))
        self.assertEqual(found["unit"], "bytes")
        for changed, message in (("traffic.3.prof", "3 of 16"),):
            os.remove(os.path.join(folder, changed))
            self.assertIn(message, self.refused("--communication", folder, "--ranks-per-node", "4"))
        folder = self.recorded("broken", 4, {(0, 1): 1}, end="")
        self.assertIn("traffic.0.prof", self.refused("--communication", folder, "--ranks-per-node", "2"))
        self.assertIn("b", self.refused("--communication", self.recorded("other", 8, {(0, 1): 1}), "--nodes", "a,b", "--ranks-per-node", "8"))
        for text in ("", "# nestbind: rank 1 of 2 on n0\n# end\n", "E\t1\t0\t5 bytes\t1 msgs sent\n"):
            folder = self.recorded("damaged", 2, {(0, 1): 1})
            self.file("damaged/traffic.0.prof", text)
            self.assertIn("traffic.0.prof", self.refused("--communication", folder, "--ranks-per-node", "1"))
        os.mkdir(os.path.join(self.folder, "empty"))
        self.refused("--communication", os.path.join(self.folder, "empty"), "--ranks-per-node", "2")

    def test_monitoring_of_open_mpi(self):
        folder = os.path.join(self.folder, "monitoring")
        os.mkdir(folder)
        for rank in range(4):
            self.file(f"monitoring/run.{rank}.prof", f"# POINT TO POINT\nE\t{rank}\t{(rank + 2) % 4}\t100 bytes\t1 msgs sent\t0,1\n"
                      f"I\t{rank}\t{(rank + 1) % 4}\t10 bytes\t1 msgs sent\t0,1\nC\t{rank}\t{(rank + 1) % 4}\t7 bytes\t1 msgs sent\n")
        found = self.read_json("--communication", folder, "--ranks-per-node", "2")
        self.assertEqual((found["traffic"], found["before"]["between_nodes"], found["after"]["between_nodes"]), (440, 420, 40))
        self.assertEqual(self.read_json("--communication", folder, "--ranks-per-node", "2", "--monitoring", "E")["traffic"], 400)
        self.assertIn("28 bytes", self.map("--communication", folder, "--ranks-per-node", "2").stdout)
        for words in (("--grid", "2x2", "--monitoring", "E"), ("--communication", folder, "--monitoring", "X")):
            self.assertIn("--monitoring", self.refused(*words, "--ranks-per-node", "2"))
        self.recorded("monitoring", 4, {(0, 1): 1})
        self.assertIn("run.", self.refused("--communication", folder, "--ranks-per-node", "2"))

    def test_inside_a_node(self):
        # The first and the second half of a node's ranks are on different packages.
        pairs = self.file("inside", "0 2 1\n1 3 1\n")
        found = self.read_json("--communication", pairs, "--ranks-per-node", "4", "--nodes", "n0", "--machine", "pack:2 core:2 pu:1")
        self.assertEqual(found["cost"], 0)
        self.assertGreater(found["cost_before"], 0)

    def test_picture(self):
        picture = os.path.join(self.folder, "picture.svg")
        self.assertStatus(self.map("--grid", "8x8", "--nodes", "n[0-7]", "--network", self.file("tree", TREE), "--output", picture), 0)
        root = xml.etree.ElementTree.parse(picture).getroot()
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        for node in range(8):
            self.assertEqual(texts.count(f"n{node}"), 3, texts)  # its box, and its row in two maps
        self.assertLessEqual({"s0", "s1"}, set(texts))
        small = xml.etree.ElementTree.fromstring(self.map("--grid", "2", "--nodes", "n", "--format", "svg").stdout)
        self.assertGreaterEqual(int(small.get("width")), 10 * len("2 ranks on 1 node"))
        drawn = self.map("--grid", "8x8", "--nodes", "n[0-7]", "--network", "torus:2x2x2", "--format", "svg").stdout
        self.assertLessEqual({"at 0,0,0", "at 1,0,1"}, {element.text for element in xml.etree.ElementTree.fromstring(drawn).iter()})
        ranks = self.file("far-apart", "".join(f"{rank} {(rank + 8) % 64} 1\n" for rank in range(64)))
        drawn = self.map("--communication", ranks, "--nodes", "n[0-7]", "--format", "svg").stdout
        shown = ",".join(text or "" for text in (element.text for element in xml.etree.ElementTree.fromstring(drawn).iter()) if text)
        for rank in range(64):
            self.assertRegex(shown, rf"\b{rank}\b")
        self.refused("--grid", "8x8", "--nodes", "n[0-7]", "--output", os.path.join(self.folder, "picture.png"))
        self.refused("--grid", "8x8", "--nodes", "n[0-7]", "--write", "intel:-")
        hostile = self.map("--grid", "2", "--nodes", "<b>&x", "--format", "svg")
        xml.etree.ElementTree.fromstring(hostile.stdout)

    def test_picture_of_a_job(self):
        reports = []
        for rank in range(4):
            line = {"spec": "2,scatter", "process": 100 + rank, "host": f"h{rank // 2}", "rank": rank, "level": 1,
                    "threads": [{"path": [i], "cpus": [i]} for i in (0, 1)]}
            reports.append(self.file(f"report-{rank}", json.dumps(line) + "\n"))
        traffic = self.recorded("job", 4, {(0, 2): 8, (1, 0): 5})
        process = nestbind("job", "--format", "svg", "--network", "tree:2,1", "--traffic", traffic, *reports)
        self.assertStatus(process, 0)
        texts = [element.text for element in xml.etree.ElementTree.fromstring(process.stdout).iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("h1", texts)
        self.assertIn("2-3", texts)

    def test_file_says_how_many_ranks(self):
        lines = self.file("pairs", "0 3 5\n1 2 5\n0 4 1\n")
        matrix = self.file("matrix", "%%MatrixMarket matrix coordinate real general\n5 5 1\n1 4 2\n")
        for file in (lines, matrix):
            found = self.read_json("--communication", file, "--nodes", "a,b")
            self.assertEqual([len(node["ranks"]) for node in found["nodes"]], [3, 2])
        found = self.read_json("--communication", matrix, "--ranks-per-node", "4")
        self.assertEqual([len(node["ranks"]) for node in found["nodes"]], [4, 1])
        self.assertIn("5 ranks on 1 node,", self.map("--communication", lines, "--nodes", "a").stdout)
        one = self.file("one", "0 1 5\n")
        self.assertIn("one: 1 pair of", self.map("--communication", one, "--nodes", "a,b").stdout)
        message = self.refused("--communication", lines, "--nodes", "a,b", "--ranks-per-node", "2")
        self.assertIn("0 to 3", message)

    def slots(self, found):
        """Returns the node of each rank."""
        return {rank: node["name"] for node in found["nodes"] for rank in node["ranks"]}

    def test_files_for_launchers(self):
        names = {form: os.path.join(self.folder, form) for form in ("slurm", "openmpi", "mpich", "intel", "cray")}
        words = [word for form, name in names.items() for word in ("--write", f"{form}:{name}")]
        grid = ("--grid", "4x4", "--nodes", "n[0-3]")
        found = self.read_json(*grid, *words)
        node_of = self.slots(found)
        text = {}
        for form, name in names.items():
            with open(name, encoding="ascii") as file:
                text[form] = file.read()
        node, each = re.fullmatch(r"-hosts (\S+) -rankmap (\S+)\n", text["mpich"]).groups()
        self.assertEqual(node, "n0:4,n1:4,n2:4,n3:4")
        self.assertEqual([f"n{number}" for number in each.split(",")], [node_of[rank] for rank in range(16)])
        for form in ("slurm", "intel", "openmpi"):
            self.assertEqual(text[form].split(), [node_of[rank] for rank in range(16)])
        order = [int(rank) for rank in re.findall(r"\d+", text["cray"])]
        self.assertEqual([node_of[rank] for rank in order], [f"n{i // 4}" for i in range(16)])
        shown = self.map(*grid, *words).stdout
        for name in names.values():
            self.assertIn(name, shown.split("\n\n")[-1])

    def test_ranks_are_bound_to_cores_only_if_these_are_known(self):
        name = os.path.join(self.folder, "rankfile")
        node_of = self.slots(self.read_json("--grid", "4x4", "--nodes", "n[0-3]", "--machine", "core:8 pu:1", "--write", f"openmpi:{name}"))
        slots = re.findall(r"^rank (\d+)=(n\d) slot=(\d-\d)$", pathlib.Path(name).read_text(encoding="ascii"), re.M)
        self.assertEqual([(int(rank), node) for rank, node, _ in slots], sorted(node_of.items()))
        self.assertEqual(sorted((node, cores) for _, node, cores in slots),
                         [(f"n{i}", cores) for i in range(4) for cores in ("0-1", "2-3", "4-5", "6-7")])

    def test_a_file_is_never_half_written(self):
        """The disk is full, here a limit of one block: the old file stays."""
        name = self.file("kept", "old\n")
        words = ("map", "--grid", "40x40", "--ranks-per-node", "4", "--nodes", "n[0-399]", "--write", f"slurm:{name}")
        process = nestbind("-c", 'ulimit -f 1; trap "" XFSZ; exec "$@"', "sh", os.environ["NESTBIND_TEST_COMMAND"], *words, command="sh")
        self.assertStatus(process, 1)
        self.assertIn("cannot be written: File too large", process.stderr)
        self.assertEqual(pathlib.Path(name).read_text(encoding="utf-8"), "old\n")
        self.assertStatus(nestbind(*words), 0)
        self.assertIn("n399", pathlib.Path(name).read_text(encoding="utf-8"))
        self.assertEqual([one for one in os.listdir(os.path.dirname(name)) if one.startswith("kept.")], [])

    def test_nothing_is_written_if_one_file_is_wrong(self):
        good = os.path.join(self.folder, "good")
        self.refused("--grid", "4x4", "--nodes", "n[0-3]", "--write", f"slurm:{good}", "--write", "slrm:other")
        self.refused("--grid", "4x4", "--ranks-per-node", "4", "--write", f"slurm:{good}")
        self.refused("--grid", "4x4", "--nodes", "n[0-3]", "--network", "torus:2", "--write", f"slurm:{good}")
        self.assertFalse(os.path.exists(good))

    def started(self, *words):
        for _ in range(3):  # several daemons of Open MPI on one host sometimes do not start
            done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False, timeout=120,
                                  env=environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", PMIX_MCA_gds="hash"))
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0, done.stderr)
        return {int(rank): node for rank, node in re.findall(r"^@ (\d+) (\S+)$", done.stdout, re.M)}

    def test_real_launchers_take_the_files(self):
        launchers = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.hydra"}
        missing = [launcher for launcher in launchers.values() if shutil.which(launcher) is None]
        if missing:
            self.skipTest(f"there is no {missing[0]}")
        agent, program = self.file("agent", AGENT, 0o755), self.file("rank", RANK, 0o755)
        names = {form: os.path.join(self.folder, "real-" + form) for form in launchers}
        words = [word for form, name in names.items() for word in ("--write", f"{form}:{name}")]
        # Two ranks on a node, because Open MPI refuses cores that this machine does not have.
        pairs = self.file("real-pairs", "0 4 1\n1 5 1\n2 6 1\n3 7 1\n")
        node_of = self.slots(self.read_json("--communication", pairs, "--nodes", "n[0-3]", "--ranks-per-node", "2", *words))
        self.assertTrue(all(node_of[rank] == node_of[rank + 4] for rank in range(4)))
        with open(names["mpich"], encoding="ascii") as file:
            options = file.read().split()
        if "-rankmap" in subprocess.run(["mpiexec.hydra", "-help"], capture_output=True, encoding="utf-8", check=False).stdout:
            self.assertEqual(self.started("mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", agent, *options, "-n", "8", program), node_of)
        else:
            print("mpiexec.hydra has no -rankmap (MPICH before 4.1): its file is not run")
        daemons = ("mpirun.openmpi", "--mca", "plm_rsh_agent", agent, "-n", "8")
        self.assertEqual(self.started(*daemons, "--hostfile", names["openmpi"], "--map-by", "seq", program), node_of)
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("needs two processors")
        node_of = self.slots(self.read_json("--communication", pairs, "--nodes", "n[0-3]", "--ranks-per-node", "2", "--machine", "core:2 pu:1", *words))
        self.assertEqual(self.started(*daemons, "--host", "n0:2,n1:2,n2:2,n3:2", "--rankfile", names["openmpi"], program), node_of)

    def test_faults_have_a_caret(self):
        tree = self.file("faults", "SwitchName=a Nodes=n0\nSwitchName=b Switches=a,c\n")
        for words, column in ((("--grid", "16x"), 3), (("--grid", "16q4"), 2), (("--grid", "0x4"), 0), (("--grid", "4x4", "--weights", "1"), 1),
                              (("--grid", "4x4", "--nodes", "n[0-"), 4), (("--grid", "4x4", "--nodes", "a,,b"), 2),
                              (("--grid", "4x4", "--ranks-per-node", "4,x"), 2), (("--grid", "4x4", "--ranks-per-node", "1048576(x4096)"), 14), (("--grid", "4x4", "--nodes", "a", "--network", "torus:4x"), 8),
                              (("--grid", "4x4", "--nodes", "a", "--network", "tours:4"), 0),
                              (("--grid", "4", "--nodes", "n0", "--network", tree), 22)):
            self.assertEqual(self.caret(*words), column, words)

    def test_other_faults(self):
        for words, part in ((("--grid", "4x4"), "--nodes"), (("--grid", "4x4", "--nodes", "n[0-1]", "--ranks-per-node", "4,4"), "16"),
                            (("--grid", "4x4", "--nodes", "n[0-1]", "--ranks-per-node", "4"), "16"),
                            (("--grid", "4x4", "--nodes", "n[0-3]", "--network", "torus:3"), "torus:3"),
                            (("--grid", "4x4", "--nodes", "n[0-3]", "--network", self.file("lacking", "SwitchName=a Nodes=n0\n")), "n1"),
                            (("--grid", "4x4", "--communication", "pairs"), "--grid"), (("--nodes", "n0",), "--grid"),
                            (("--grid", "4x4", "--nodes", "n0", "--method", "scotch"), "scotch"),
                            (("--grid", "4x4", "--nodes", "n0", "4,scatter"), "specification"),
                            (("--communication", self.file("far", "0 9 1\n"), "--nodes", "n[0-1]", "--ranks-per-node", "2"), "0 to 3")):
            self.assertIn(part, self.refused(*words), words)
        for words in (("--grid", "4", "--nodes", "n0", "--network", self.file("secret", "", 0o644) + "-missing"),
                      ("--grid", "4", "--nodes", os.path.join(self.folder, "missing"))):
            process = self.map(*words)
            self.assertStatus(process, 1)
            self.assertIn("No such file", process.stderr)
        # A folder can only be of ranks.
        self.assertIn("--nodes", self.refused("--communication", self.recorded("alone", 4, {(0, 1): 1})))
        self.assertIn("expected 0 to 3", self.refused("--communication", self.file("path", "0.1 1 4\n"), "--nodes", "n[0-3]"))

    def test_large_jobs(self):
        found = self.read_json("--grid", "32x32x32", "--ranks-per-node", "64", "--network", "tree:8,8,8")
        self.assertLessEqual(found["after"]["between_nodes"], 1.05 * 3 * 7 * 32 * 32)


if __name__ == "__main__":
    unittest.main()
