#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles programs with nestbind/mpi.h, and runs them on the MPI libraries of this machine. NESTBIND_TEST_LIBRARY is libnestbind.so."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = pathlib.Path(os.environ.get("NESTBIND_TEST_LIBRARY", "libnestbind.so")).resolve()
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none"], "mpich": ["mpiexec.mpich"]}
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1", "NESTBIND_QUIET": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "NESTBIND_CACHE": "off"}
BAD = -10


class Mpi:
    """The tests of one MPI library. The subclasses below are the tests."""

    name = ""
    ranks = 4

    @classmethod
    def setUpClass(cls):
        if shutil.which("mpicc." + cls.name) is None or shutil.which(LAUNCHERS[cls.name][0]) is None:
            raise unittest.SkipTest(f"{cls.name} is not installed")
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = cls.compiled(HERE / "program.c", "program")
        cls.without = cls.compiled(HERE / "program.c", "without", linked=False)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def compiled(cls, source, name, *options, compiler="mpicc", linked=True):
        file = os.path.join(cls.folder.name, name)
        library = [f"-L{LIBRARY.parent}", "-Wl,--no-as-needed", "-lnestbind", f"-Wl,-rpath,{LIBRARY.parent}"] if linked else []
        subprocess.run([f"{compiler}.{cls.name}", "-g", "-O1", "-fopenmp", f"-I{ROOT / 'include'}", *options, source, "-o", file, *library, "-lm"],
                       check=True)
        return file

    def run_ranks(self, program, *arguments, ranks=None, **environment):
        done = subprocess.run([*LAUNCHERS[self.name], "-n", str(ranks or self.ranks), program, *arguments], capture_output=True, text=True, timeout=300,
                              env={**os.environ, **ENVIRONMENT, **environment}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def results(self, *arguments, **more):
        """Returns (rank, step, error) of each call with an error, and the numbers of the last line."""
        done = self.run_ranks(self.program, *arguments, **more)
        errors = sorted(tuple(map(int, row)) for row in re.findall(r"^rank (\d+) step (\d+): (-\d+)$", done.stdout, re.M))
        last = re.search(r"^objects (\d+), first rank (\d+), moved (\d)$", done.stdout, re.M)
        return errors, tuple(map(int, last.groups())), done

    def in_all(self, wrong, step, **more):
        errors, (objects, _, _), done = self.results(wrong, **more)
        self.assertEqual(errors, [(rank, step, BAD) for rank in range(self.ranks)])
        self.assertEqual(objects, 64)
        return done

    def test_objects_move_from_a_rank_with_much_work(self):
        errors, (objects, first, moved), _ = self.results()
        self.assertEqual((errors, objects, moved), ([], 64, 1))
        self.assertLess(first, 48 // self.ranks)

    def test_ranks_that_share_memory_are_a_node(self):
        errors, (objects, first, moved), _ = self.results("node")
        self.assertEqual((errors, objects, moved), ([], 64, 1))
        self.assertLess(first, 48 // self.ranks)

    def test_objects_go_to_the_nearest_nodes_of_the_network(self):
        done = self.run_ranks(self.program, "near", ranks=4)
        self.assertEqual(set(re.findall(r"^from (\d) to (\d)$", done.stdout, re.M)), {("0", "3"), ("2", "1")})

    def test_a_wrong_option_in_one_rank_gives_no_rank_a_balancer(self):
        done = self.run_ranks(self.program, "option")
        self.assertEqual(done.stdout.count("no balancer\n"), self.ranks)
        self.assertEqual(done.stderr.count("slots of rank 1"), 1, done.stderr)

    def test_hops_that_are_no_number_give_no_rank_a_balancer(self):
        done = self.run_ranks(self.program, "hops")
        self.assertEqual(done.stdout.count("no balancer\n"), self.ranks)
        self.assertEqual(len(re.findall(r"hops from rank 0 to rank 2\b", done.stderr)), 1, done.stderr)

    def test_ranks_with_different_choices_do_as_rank_0_says(self):
        """A launcher may give a variable to some ranks only."""
        for value, moved in (("off", 1), ("every=3", 1)):
            script = f'[ "${{PMI_RANK}}${{OMPI_COMM_WORLD_RANK}}" = 0 ] || export NESTBIND_BALANCE_ACROSS={value}; exec "$@"'
            done = self.run_ranks("sh", "-c", script, "sh", self.program)
            self.assertIn(f"moved {moved}\n", done.stdout, value)

    def test_off_and_one_rank_move_nothing(self):
        self.assertEqual(self.results(NESTBIND_BALANCE_ACROSS="off")[:2], ([], (64, 64 // self.ranks, 0)))
        self.assertEqual(self.results(ranks=1)[:2], ([], (64, 64, 0)))

    def test_a_fault_is_an_error_in_all_ranks_and_one_message_names_it(self):
        for wrong in ("negative", "nan"):
            done = self.in_all(wrong, 5)
            self.assertIn(f"load {BAD}\n", done.stdout)
            self.assertEqual(len(re.findall(rf"rank {self.ranks - 1}, object 7\b", done.stderr)), 1, done.stderr)
        self.assertRegex(self.in_all("twice", 5, NESTBIND_BALANCE_ACROSS="every=1").stderr, r"rank \d, object 0\b")
        self.assertRegex(self.in_all("steps", 5).stderr, rf"rank {self.ranks - 1}, 100000\b")

    def test_an_unknown_object_is_an_error_when_the_search_begins(self):
        errors, (objects, first, moved), done = self.results("unknown", NESTBIND_BALANCE_ACROSS="every=1")
        self.assertEqual([error[2] for error in errors], [BAD] * len(errors))
        self.assertEqual((len(errors) % self.ranks, objects, first, moved), (0, 64, 64 // self.ranks, 0))
        self.assertEqual(len(re.findall(r"object 1000\b", done.stderr)), 1, done.stderr)

    def test_a_region_without_a_shared_loop_has_no_load(self):
        self.assertIn("load -15\n", self.results("region")[2].stdout)

    def test_without_the_library_one_message_says_so_and_nothing_moves(self):
        done = self.run_ranks(self.without)
        self.assertEqual(done.stderr.count("libnestbind"), 1, done.stderr)
        self.assertIn("nestbind run -- ", done.stderr)
        self.assertIn(f"objects 64, first rank {64 // self.ranks}, moved 0\n", done.stdout)
        self.assertEqual(done.stdout.count(": -21\n"), self.ranks * 8)
        preloaded = self.run_ranks(self.without, LD_PRELOAD=str(LIBRARY))
        self.assertIn("moved 1\n", preloaded.stdout)

    def test_particles_have_the_same_sum_as_in_a_serial_run(self):
        program = self.compiled(ROOT / "bench" / "particles" / "particles.c", "particles", "-O2", "-ffp-contract=off")
        arguments = ("--cells", "8", "--particles", "4000", "--steps", "24", "--shift", "8", "--node", "2")
        sums = {}
        for name, ranks, variables in (("serial", 1, {}), ("off", self.ranks, {"NESTBIND_BALANCE_ACROSS": "off"}), ("auto", self.ranks, {}),
                                       ("every", self.ranks, {"NESTBIND_BALANCE_ACROSS": "every=3"}),
                                       ("region", 2, {"NESTBIND_SCHEDULE": "hybrid", "OMP_NUM_THREADS": "2"})):
            load = ("--load", "region") if name == "region" else ()
            done = self.run_ranks(program, *arguments, *load, ranks=ranks, **variables)
            sums[name] = re.search(r"^checksum (\S+)$", done.stdout, re.M)[1]
            moved = int(re.search(r"^moved (\d+)$", done.stdout, re.M)[1])
            self.assertEqual(moved > 0, name in ("auto", "every") or (name == "region" and moved > 0), name)
        self.assertEqual(set(sums.values()), {sums["serial"]})

    def test_cplusplus_compiles_the_header(self):
        source = os.path.join(self.folder.name, "header.cpp")
        pathlib.Path(source).write_text("#include <nestbind/mpi.h>\nint main() { return nestbind_mpi_balance_report(nullptr, new "
                                        "nestbind_across_report) == 0; }\n", encoding="utf-8")
        self.compiled(source, "header", "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", compiler="mpicxx")


ZONES = """
from mpi4py import MPI
import nestbind
from nestbind import mpi
rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
balancer = mpi.Balancer(MPI.COMM_WORLD, node=1 + rank)
owner = {zone: zone * ranks // 32 for zone in range(32)}
for step in range(10):
    for zone in range(32):
        if owner[zone] == rank:
            balancer.load(zone, 0.04 if zone < 8 else 0.01, 100)
    for move in balancer.balance(1000000):
        owner[move.id] = move.rank_to
try:
    balancer.load(3, -1)
except nestbind.Error as error:
    print("error", error.number)
print("zones", rank, sum(1 for of in owner.values() if of == rank), flush=True)
balancer.free()
"""


def has_mpi4py():
    try:
        import mpi4py  # noqa: F401
    except ImportError:
        return False
    return True


class OpenMpi(Mpi, unittest.TestCase):
    name = "openmpi"

    def test_fortran(self):
        if shutil.which("mpif90.openmpi") is None:
            self.skipTest("there is no mpif90.openmpi")
        include = ROOT / "include" / "nestbind"
        bridge = os.path.join(self.folder.name, "bridge.o")
        subprocess.run(["mpicc.openmpi", "-x", "c", "-DNESTBIND_MPI_FORTRAN", f"-I{ROOT / 'include'}", "-c", include / "mpi.h", "-o", bridge], check=True)
        program = os.path.join(self.folder.name, "zones")
        subprocess.run(["mpif90.openmpi", "-std=f2018", f"-J{self.folder.name}", include / "nestbind_mpi_balance.f90", HERE / "zones.f90", bridge, "-o",
                        program, f"-L{LIBRARY.parent}", "-Wl,--no-as-needed", "-lnestbind", f"-Wl,-rpath,{LIBRARY.parent}"], check=True)
        self.assertLess(int(self.run_ranks(program, ranks=2).stdout.split()[-1]), 16)

    @unittest.skipUnless(has_mpi4py(), "mpi4py is not installed")
    def test_python(self):
        script = os.path.join(self.folder.name, "zones.py")
        pathlib.Path(script).write_text(ZONES, encoding="utf-8")
        done = self.run_ranks(sys.executable, script, ranks=2, LD_PRELOAD=str(LIBRARY), PYTHONPATH=str(ROOT / "packaging" / "python"))
        zones = dict(re.findall(r"^zones (\d) (\d+)$", done.stdout, re.M))
        self.assertEqual((done.stdout.count("error 10"), int(zones["0"]) + int(zones["1"])), (2, 32))
        self.assertLess(int(zones["0"]), 16)


class Mpich(Mpi, unittest.TestCase):
    name = "mpich"


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
