# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind explain and suggest."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import TestCase, environment, machine, nestbind

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "natively"))
import native  # noqa: E402

BARCELONA = ("--machine", machine("barcelona"))


def explained(*words):
    process = nestbind("explain", "--format=json", *words)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def row(explanation, tool, runtime="gnu"):
    return next(r for r in explanation["equivalents"] if r["tool"] == tool and r["runtime"] == runtime)


class Explain(TestCase):
    def test_words_describe_the_plan(self):
        said = explained("4,scatter,2,subcompact", *BARCELONA)
        outer, inner = said["levels"]
        self.assertIn("one team of 4, spread over the machine", outer["where"])
        self.assertIn("processors 0,4,8,12", outer["where"])
        self.assertEqual(outer["shares"], "the members of the team are over 4 NUMA nodes")
        self.assertIn("the first on processors 0-1", inner["where"])
        self.assertEqual(inner["shares"], "the members of each team are within one L3 cache and one NUMA node")
        self.assertEqual(inner["apart"], "no package has members of two teams")
        self.assertEqual(said["idle"], "8 of 16 cores, processors 2-3,6-7,10-11,14-15")
        self.assertEqual(said["fit"], "8 threads on 16 slots of 16 cores: each thread has its own")
        said = explained("3,scatter,5,subscatter", *BARCELONA)
        self.assertIn("over 2", said["levels"][1]["shares"])
        self.assertNotEqual(said["levels"][1]["apart"], "no package has members of two teams")

    def test_shared_slots_are_counted_as_in_the_library(self):
        program = self.compile("nested", "-fopenmp")
        for spec in ("20,scatter,2,subcompact", "9,compact,2,subcompact", "2,scatter,40,subcompact"):
            warning = nestbind("run", *BARCELONA, spec, "--", program).stderr.partition("warning: ")[2].strip()
            self.assertRegex(warning, r"\A\d+ threads share 16 slots\Z")
            self.assertEqual(json.loads(nestbind("plan", "--format=json", spec, *BARCELONA).stdout)["warnings"], [warning])
            self.assertIn(warning, explained(spec, *BARCELONA)["fit"])
        for plan in (["4,scatter,4,subcompact"], ["auto", "--shape", "4x4"]):
            said = json.loads(nestbind("plan", "--format=json", *plan, "--machine", "core:2 pu:1").stdout)
            self.assertEqual(said["warnings"], ["16 threads share 2 slots"])

    def test_too_large_sizes_are_reported(self):
        said = explained("9,compact,2,subcompact", *BARCELONA)
        self.assertIn("they do not fit; nestbind warns once: 18 threads share 16 slots", said["fit"])
        self.assertEqual(said["levels"][1]["apart"], "no core has members of two teams")
        said = explained("20,compact,2,subcompact", *BARCELONA)
        self.assertEqual(said["levels"][1]["apart"], "members of different teams are on the same processors")
        said = explained("2,scatter,40,subcompact", *BARCELONA)
        self.assertIn("they do not fit; nestbind warns once: 80 threads share 16 slots", said["fit"])
        self.assertEqual(said["levels"][1]["apart"], "no package has members of two teams")
        said = explained("4,scatter,4,subscatter", *BARCELONA)
        self.assertIn("a team of 5 in place of 4 has 4 slots", said["levels"][1]["beyond"])
        said = explained("4,scatter,4,scatter", *BARCELONA)
        self.assertIn("shares slots with other teams", said["levels"][1]["beyond"])
        said = explained("auto", "--shape", "4x2", *BARCELONA)
        self.assertIn("a team of 3 in place of 2 has a slot of its own for each thread", said["levels"][1]["beyond"])

    def test_off_and_teams_of_one(self):
        said = explained("off", *BARCELONA)
        self.assertEqual((said["levels"], said["equivalents"]), ([], []))
        self.assertIn("no thread is bound", said["fit"])
        said = explained("*,scatter", "--shape", "1", *BARCELONA)
        self.assertIn("no change", said["levels"][0]["where"])
        self.assertEqual(said["equivalents"], [])
        said = explained("1,scatter", *BARCELONA)  # the number 1 binds
        self.assertEqual(row(said, "OMP_PLACES")["line"], "OMP_NUM_THREADS=1 OMP_MAX_ACTIVE_LEVELS=1 OMP_PROC_BIND=close OMP_PLACES='{0}'")

    def test_equal_variables_of_the_runtimes_are_shown(self):
        said = explained("4,scatter,2,subcompact", *BARCELONA)
        self.assertEqual(row(said, "OMP_PLACES")["line"],
                         "OMP_NUM_THREADS=4,2 OMP_MAX_ACTIVE_LEVELS=2 OMP_PROC_BIND=spread,close "
                         "OMP_PLACES='{0},{1},{4},{5},{8},{9},{12},{13}'")
        self.assertTrue(row(said, "OMP_PLACES=cores")["equal"])
        self.assertFalse(row(said, "KMP_AFFINITY", "gnu")["equal"])
        self.assertIn("in any order", row(said, "KMP_AFFINITY", "llvm")["reason"])
        said = explained("numa,scatter,core,subcompact", *BARCELONA, "--cpus", "0-8,12", "--runtime", "gnu")
        self.assertEqual({r["runtime"] for r in said["equivalents"]}, {"gnu"})
        self.assertEqual(row(said, "OMP_PLACES")["reason"],
                         "the teams of level 2 have 1 to 4 members, and OMP_NUM_THREADS has one number for a level")
        self.assertTrue(row(explained("4,scatter", *BARCELONA), "OMP_PLACES=cores")["equal"])

    def test_four_hardware_threads_are_not_called_both(self):
        found = nestbind("explain", "core,scatter", "--machine", "pack:2 core:2 pu:4", "--format", "json").stdout
        self.assertIn("hardware threads of a core", found)
        self.assertNotIn("both", found)

    def test_one_processor_is_no_plural(self):
        where = [level["where"] for level in explained("2,scatter,2,subcompact", "--machine", "core:2 pu:1")["levels"]]
        self.assertTrue(where[0].endswith("on processors 0-1"), where)
        self.assertTrue(where[1].endswith("on processor 0"), where)

    def test_words_without_commas(self):
        for words in (["2", "scatter"], ["2,scatter", "2,subcompact"], ["2", "scatter", "2", "subcompact"]):
            process = nestbind("explain", *words)
            self.assertStatus(process, 2)
            self.assertIn("nestbind explain '" + words[0] + ", " + words[1], process.stderr)

    def test_text(self):
        process = nestbind("explain", "4,scatter,2,subcompact", *BARCELONA)
        self.assertStatus(process, 0)
        lines = process.stdout.splitlines()
        self.assertIn("level 2: 2,subcompact", lines)
        self.assertIn("the same without nestbind", lines)
        for line in lines:
            self.assertTrue(len(line) <= 100 or "OMP_NUM_THREADS" in line, line)

    def test_refused(self):
        for words, told in (((), "no specification is given"), (("4,scater",), "did you mean scatter?"),
                            (("nmua,scatter",), "did you mean numa?"),
                            (("2,scatter,2,subscatter@pakage",), "did you mean package?"),
                            (("2,scatter", "--runtime=gcc"), "gnu, llvm"),
                            (("2,scatter", "--format=jsn"), "did you mean json?")):
            with self.subTest(words):
                process = nestbind("explain", *words)
                self.assertStatus(process, 2)
                self.assertIn(told, process.stderr)


class Natively(TestCase):
    """Runs the command lines of `nestbind explain` on two processors. Lines that are marked as equal must give the plan's places. Other
    lines must not."""

    def run_line(self, line, runtime, levels, order=""):
        program = native.compile_for(runtime, self.folder)
        if program is None:
            self.skipTest(f"there is no {native.COMPILERS[runtime]}")
        done = subprocess.run(["sh", "-c", native.shell_line(line, program, levels, order)], timeout=300, check=True,
                              env=environment(OMP_WAIT_POLICY="passive"), stdout=subprocess.PIPE, encoding="utf-8")
        return {path: cpus for path, (_, cpus) in native.rows(done.stdout).items()}

    def check_spec(self, spec, runtime):
        cpus = sorted(os.sched_getaffinity(0))[:2]
        if len(cpus) < 2:
            self.skipTest("one processor")
        narrow = ("--cpus", ",".join(map(str, cpus)))
        said = explained(spec, *narrow, "--runtime", runtime)
        plan = native.seats(json.loads(nestbind("plan", "--format=json", spec, *narrow).stdout))
        checked = []
        for found in said["equivalents"]:
            tool = found["tool"]
            # OMP_PLACES=cores uses all processors of the process, not only these two.
            is_here = shutil.which(tool) is not None or tool.startswith(("OMP", "KMP"))
            if not found["line"] or not is_here or (tool == "OMP_PLACES=cores" and len(os.sched_getaffinity(0)) > 2):
                continue
            order = "again" if "anew at each fork" in found["reason"] else "reverse" if "any order" in found["reason"] else ""
            with self.subTest(spec=spec, runtime=runtime, tool=tool):
                masks = self.run_line(found["line"], runtime, len(said["levels"]), order)
                (self.assertEqual if found["equal"] else self.assertNotEqual)(masks, plan)
                checked.append(found["equal"])
        return checked

    def test_claims_and_denials(self):
        checked = []
        for runtime in ("gnu", "llvm"):
            for spec in ("2,scatter", "1,scatter,2,subcompact", "2,scatter,2,subcompact", "3,compact"):
                checked += self.check_spec(spec, runtime)
        self.assertGreater(checked.count(True), 9)
        self.assertGreater(checked.count(False), 1)


class Suggest(TestCase):
    def test_shapes(self):
        process = nestbind("suggest", "4x4", "--format=json", *BARCELONA)
        self.assertStatus(process, 0)
        said = json.loads(process.stdout)
        self.assertEqual([s["spec"] for s in said["suggestions"]],
                         ["4,scatter,4,subcompact", "4,scatter,4,scatter", "4,compact,4,scatter"])
        self.assertEqual(said["next"], "nestbind run 4,scatter,4,subcompact -- ./program")
        process = nestbind("suggest", *BARCELONA)
        self.assertStatus(process, 0)
        self.assertIn("numa,scatter,core,subcompact", process.stdout)
        self.assertIn("\n    nestbind run numa,scatter,core,subcompact -- ./program\n", process.stdout)

    def test_teams_of_one_before_the_first_choice(self):
        """Only one team has several threads, so no sentence is about several teams."""
        process = nestbind("suggest", "1x16", *BARCELONA, env={"COLUMNS": "1000"})
        self.assertStatus(process, 0)
        self.assertIn("\n1,scatter,16,scatter\n", process.stdout)
        self.assertNotIn("teams", process.stdout)
        said = json.loads(nestbind("suggest", "1x4x4", "--format=json", *BARCELONA).stdout)["suggestions"]
        self.assertEqual(said[0]["spec"], "1,scatter,4,scatter,4,subcompact")

    def test_slow_cores_that_share_caches_make_no_teams(self):
        """The fast cores of these laptops have an L2 cache each, so most teams would have one thread."""
        for name in ("laptop", "hybrid"):
            said = json.loads(nestbind("suggest", "--format=json", "--machine", machine(name)).stdout)["suggestions"]
            self.assertEqual(said[0]["spec"], "core,scatter", name)

    def test_sentences_are_complete_for_teams_of_one(self):
        for shape in ("2x1", "1x2", "2x1x2"):
            process = nestbind("suggest", shape, *BARCELONA, env={"COLUMNS": "1000"})
            self.assertStatus(process, 0)
            self.assertNotRegex(process.stdout, r"(?m)\b(the team|the teams|over|within)[ ;]*$", shape)

    def test_the_shape_of_the_environment(self):
        def said(*words, threads):
            return json.loads(nestbind("suggest", *words, "--format=json", *BARCELONA, env={"OMP_NUM_THREADS": threads}).stdout)
        plain = json.loads(nestbind("suggest", "4x4", "--format=json", *BARCELONA).stdout)["suggestions"]
        self.assertEqual(said(threads="4,4")["suggestions"], plain)
        self.assertEqual(said(threads=" 4, 4 ")["suggestions"], plain)
        self.assertEqual(said("4x4", threads="2")["suggestions"], plain)
        for nothing in ("", "1", "1,1", "many"):
            self.assertEqual(said(threads=nothing)["suggestions"][0]["spec"], "numa,scatter,core,subcompact")

    def test_machine_option_is_proposed_if_the_shape_does_not_fit(self):
        self.assertIn("--machine", nestbind("suggest", "1000x1000").stderr)
        self.assertNotIn("--machine", nestbind("suggest", "1000x1000", *BARCELONA).stderr)

    def test_every_suggestion_plans_without_warning(self):
        for name in ("barcelona", "tigerton", "nehalem-hp", "hybrid", "scalemp"):
            for shape in ((), ("4x2",), ("8",), ("2x2x2",)):
                process = nestbind("suggest", "--format=json", *shape, "--machine", machine(name))
                for found in json.loads(process.stdout or '{"suggestions": []}')["suggestions"]:
                    with self.subTest(name=name, spec=found["spec"]):
                        plan = json.loads(nestbind("plan", "--format=json", found["spec"], "--machine", machine(name)).stdout)
                        self.assertEqual(plan["warnings"], [])

    def test_refused(self):
        for shape in ("4x", "x4", "0", "4x-1", "4,4", "four", "x".join(["1"] * 100)):
            with self.subTest(shape):
                process = nestbind("suggest", "--", shape) if shape.startswith("-") else nestbind("suggest", shape, *BARCELONA)
                self.assertStatus(process, 2)
                self.assertIn("such as 4x4", process.stderr)
        process = nestbind("suggest", "16x4", *BARCELONA)
        self.assertStatus(process, 1)
        self.assertIn("16 processors", process.stderr)
        process = nestbind("suggest", "--machine", "pu:1")
        self.assertStatus(process, 1)
        self.assertIn("one processor can be used", process.stderr)


if __name__ == "__main__":
    unittest.main()
