# SPDX-License-Identifier: BSD-3-Clause
"""Tests what nestbind doctor says about loops and about environment variables."""
import os
import shutil
import subprocess
import unittest

from doctoring import Doctor, doctor, topics
from support import nestbind


class Loops(Doctor):
    SOURCE = """int main(void) { int sum = 0;
#pragma omp parallel for {} reduction(+ : sum)
for (int i = 0; i < 9; ++i) sum += i;
return sum; }"""

    def lines(self, name, clause, compiler="gcc"):
        program = self.compile(name, "-fopenmp", compiler=compiler, source=self.SOURCE.replace("{}", clause, 1))
        process = doctor(program)
        self.assertStatus(process, 0)
        return topics(process)["loops"]

    def test_kinds(self):
        for clause, told in (("schedule(runtime)", "NESTBIND_SCHEDULE=hybrid"),
                             ("schedule(dynamic)", "NESTBIND_SCHEDULE=hybrid,loops=dynamic"),
                             ("schedule(static)", "none"), ("", "none")):
            with self.subTest(clause=clause):
                (line,) = self.lines("kind" + clause.strip("schedule()"), clause)
                self.assertEqual(line.split()[0], told)
                self.assertEqual("schedule(runtime)" in line, clause != "schedule(dynamic)")

    def test_llvm(self):
        compiler = next((c for c in ("clang-19", "clang", "clang-14") if shutil.which(c)), "clang")
        try:
            (line,) = self.lines("llvm_loops", "schedule(runtime)", compiler)
        except subprocess.CalledProcessError:
            self.skipTest(f"{compiler} has no OpenMP runtime")
        self.assertIn("LLVM's symbols", line)

    def test_loops_of_a_library(self):
        code = self.file("shares.c", self.SOURCE.replace("{}", "schedule(runtime)", 1).replace("main", "shares"))
        subprocess.run(["gcc", "-shared", "-fPIC", "-fopenmp", code, "-o", os.path.join(self.folder, "libshares.so")], check=True)
        program = self.compile("calls", "-L" + self.folder, "-lshares", "-Wl,-rpath," + self.folder,
                               source="int shares(void); int main(void) { return shares(); }")
        (line,) = topics(doctor(program))["loops"]
        self.assertIn("(in libshares.so)", line)

    def test_bad_schedule(self):
        program = self.compile("bad_schedule", "-fopenmp")
        bad = {"NESTBIND_SCHEDULE": "hybird"}
        process = doctor(program, env=bad)
        self.assert_bound(process, "GOMP")
        self.assertIn("did you mean hybrid?", "".join(topics(process)["loops"]))
        self.assertIn("correct NESTBIND_SCHEDULE, then", topics(process)["verdict"][0])
        self.assert_not_bound(doctor(program, env={**bad, "NESTBIND_STRICT": "1"}), "NESTBIND_SCHEDULE=hybird")


class Variables(Doctor):
    def test_dry_run(self):
        process = doctor(self.compile("dry", "-fopenmp"), env={"NESTBIND_MACHINE": "pu:4"})
        self.assertStatus(process, 1)
        self.assertIn("NESTBIND_MACHINE=pu:4: a dry run", process.stdout)

    def test_own(self):
        program = self.compile("own", "-fopenmp")
        good = {"OMP_NESTING_TEAM_SIZE": "4, SCATTER", "NESTBIND_SMT": "2", "NESTBIND_REPORT": "json:x",
                "NESTBIND_CORES": "all", "NESTBIND_STRICT": "1", "NESTBIND_QUIET": "0",
                "NESTBIND_TEAM_SIZES": "ignore", "NESTBIND_CACHE": "off"}
        process = doctor(program, env=good)
        self.assert_bound(process, "GOMP")
        self.assertIn("OMP_NESTING_TEAM_SIZE=4,scatter", topics(process)["specification"])
        for name, value in good.items():
            if name != "OMP_NESTING_TEAM_SIZE":
                self.assertIn(f"{name}={value}", topics(process)["environment"])
        for name, value in (("OMP_NESTING_TEAM_SIZE", "4,scat"), ("NESTBIND_SMT", "x"),
                            ("NESTBIND_REPORT", "yes"), ("NESTBIND_CORES", "fast"),
                            ("NESTBIND_STRICT", "yes"), ("NESTBIND_QUIET", "yes"),
                            ("NESTBIND_TEAM_SIZES", "no"), ("NESTBIND_TRACE", "%q")):
            with self.subTest(name=name):
                self.assert_not_bound(doctor(program, env={name: value}), name)

    def test_unknown(self):
        process = doctor(self.compile("unknown", "-fopenmp"), env={"NESTBIND_COLOUR": "red"})
        self.assertStatus(process, 0)
        self.assertIn("no such variable", "".join(topics(process)["environment"]))
        self.assertNotIn("did you mean", process.stdout)
        process = doctor(self.compile("unknown", "-fopenmp"), env={"NESTBIND_REPROT": "text"})
        self.assertIn("did you mean NESTBIND_REPORT?", "".join(topics(process)["environment"]))

    def test_of_the_instrumenter(self):
        env = {"NESTBIND_OPARI": "opari", "NESTBIND_OPARI_RC": "/tmp/rc", "NESTBIND_CC": "cc"}
        process = doctor(self.compile("instrumenter", "-fopenmp"), env=env)
        self.assertStatus(process, 0)
        self.assertNotIn("no such variable", process.stdout)
        for name, value in env.items():
            self.assertIn(f"{name}={value}: ", "\n".join(topics(process)["environment"]))

    def test_empty(self):
        env = {"NESTBIND_QUIET": "", "NESTBIND_MACHINE": "", "NESTBIND_COLOUR": "", "OMP_NESTING_TEAM_SIZE": ""}
        process = doctor(self.compile("empty", "-fopenmp"), env=env)
        self.assert_bound(process, "GOMP")
        self.assertNotIn("environment", topics(process))

    def test_cache(self):
        program = self.compile("cache", "-fopenmp")
        mine = os.path.join(self.folder, "mine")
        os.makedirs(mine, mode=0o700, exist_ok=True)
        later = os.path.join(self.folder, "later")
        for env, told in (({"NESTBIND_CACHE": "off"}, "none: NESTBIND_CACHE=off"),
                          ({"XDG_RUNTIME_DIR": ""}, "XDG_RUNTIME_DIR is not set"),
                          ({"NESTBIND_CACHE": mine}, "the machine is kept in " + mine),
                          ({"NESTBIND_CACHE": mine, "HWLOC_XMLFILE": "x"}, "none: "),
                          ({"NESTBIND_CACHE": later}, f"will be kept in {later}"),
                          ({"NESTBIND_CACHE": "/"}, "none: / ")):
            with self.subTest(env=env):
                if told.startswith("none: /") and os.getuid() == 0:
                    continue  # only root can use this folder
                self.assertIn(told, topics(doctor(program, env=env))["cache"][0])
        self.assertFalse(os.path.exists(later))

    def test_bad_cache_folder_is_reported(self):
        process = doctor(self.compile("cache", "-fopenmp"), env={"NESTBIND_CACHE": "rel"})
        self.assert_not_bound(process, "beginning with /")
        self.assertNotIn("cache", topics(process))
        self.assertNotIn("will be kept", process.stdout)

    def test_competing(self):
        program = self.compile("competing", "-fopenmp")
        for name, effect in (("OMP_PROC_BIND", "specification wins"), ("OMP_PLACES", "specification wins"),
                             ("KMP_AFFINITY", "specification wins"), ("GOMP_CPU_AFFINITY", "specification wins"),
                             ("OMP_NUM_THREADS", "sizes win"), ("OMP_NESTED", "sizes win"),
                             ("OMP_MAX_ACTIVE_LEVELS", "sizes win"), ("OMP_DYNAMIC", "smaller"),
                             ("KMP_HOT_TEAMS_MAX_LEVEL", "keep"), ("OMP_TOOL_LIBRARIES", "another tool")):
            with self.subTest(name=name):
                process = doctor(program, env={name: "1"})
                self.assertStatus(process, 0)
                line = next(t for t in topics(process)["environment"] if t.startswith(name + "=1"))
                self.assertIn(effect, line)

    def test_sizes_are_reported_only_if_they_win(self):
        for specification, wins in (("auto", False), ("off", False), ("*,scatter", False), ("*,scatter,2,compact", True)):
            with self.subTest(specification):
                process = nestbind("doctor", env={"OMP_NESTING_TEAM_SIZE": specification, "OMP_NUM_THREADS": "2"})
                line = next(t for t in topics(process)["environment"] if t.startswith("OMP_NUM_THREADS=2"))
                self.assertEqual("sizes win" in line, wins, line)

    def test_sanitizer(self):
        process = doctor(self.compile("sanitized", "-fopenmp", "-fsanitize=address"))
        self.assert_bound(process, "GOMP")
        self.assertIn("libasan", topics(process)["sanitizer"][0])


if __name__ == "__main__":
    unittest.main()
