# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind rules, and nestbind run --rules, with regions of real programs. Comments in the sources mark the lines."""
import os
import re
import subprocess
import unittest

from support import LIBRARY, TestCase, environment, nestbind

C = r"""
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
__attribute__((noinline)) static void tell(const char *name) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
#pragma omp critical
  printf("%s %d %d\n", name, omp_get_num_threads(), CPU_COUNT(&mask));
}
__attribute__((noinline)) void plain(void) {
#pragma omp parallel /* plain */
  tell("plain");
}
__attribute__((noinline)) void solve(void) {
#pragma omp parallel /* outer */
  {
    tell("outer");
#pragma omp parallel /* inner */
    tell("inner");
  }
}
__attribute__((noinline)) void shared(void) {
#pragma omp parallel /* shared */
  tell("shared");
}
int main(void) {
  for (int i = 0; i < 2; ++i) {
    plain();
    solve();
    shared();
    shared();
  }
  printf("max %d %d\n", omp_get_max_threads(), omp_get_max_active_levels());
  return 0;
}
"""

CXX = r"""
#include <omp.h>
#include <cstdio>
namespace space {
template <typename Number>
__attribute__((noinline)) void fill(Number by) {
#pragma omp parallel /* template */
#pragma omp master
  std::printf("fill %g %d\n", double(by), omp_get_num_threads());
}
struct Solver {
  void operator()(int) const {
#pragma omp parallel
#pragma omp master
    std::printf("solver %d\n", omp_get_num_threads());
  }
};
}
int main() {
  const auto lambda = [](int) {
#pragma omp parallel /* lambda */
#pragma omp master
    std::printf("lambda %d\n", omp_get_num_threads());
  };
  lambda(1);
  space::fill<int>(3);
  space::fill(2.5);
  space::Solver()(3);
}
"""

FORTRAN = r"""
module work
contains
  subroutine solve(n)
    use omp_lib
    integer :: n
    !$omp parallel
    !$omp master
    print '(a,i0)', 'solve ', omp_get_num_threads()
    !$omp end master
    !$omp end parallel
  end subroutine
end module
subroutine outside()
  use omp_lib
  !$omp parallel
  !$omp master
  print '(a,i0)', 'outside ', omp_get_num_threads()
  !$omp end master
  !$omp end parallel
end subroutine
program Heat
  use work
  use omp_lib
  call Solve(1)
  call outside()
  call inside()
  !$omp parallel
  !$omp master
  print '(a,i0)', 'main ', omp_get_num_threads()
  !$omp end master
  !$omp end parallel
contains
  subroutine inside()
    !$omp parallel
    !$omp master
    print '(a,i0)', 'inside ', omp_get_num_threads()
    !$omp end master
    !$omp end parallel
  end subroutine
end program
"""

PLUGIN = r"""
#include <omp.h>
#include <stdio.h>
void work(void) {
#pragma omp parallel
#pragma omp master
  printf("work %d\n", omp_get_num_threads());
  fflush(stdout);
}
"""

LOADER = r"""
#include <dlfcn.h>
int main(int count, char **names) {
  void (*work)(void) = (void (*)(void))dlsym(dlopen(names[count - 1], RTLD_NOW), "work");
  work();
  work();
  return 0;
}
"""

ROOTS = r"""
#include <pthread.h>
static void *fork_team(void *none) {
#pragma omp parallel
  __asm__ volatile("");
  return none;
}
int main(void) {
  pthread_t thread;
  fork_team(0);
  pthread_create(&thread, 0, fork_team, 0);
  return pthread_join(thread, 0);
}
"""

COMPILERS = (("gcc", "g++"), ("clang-19", "clang++-19"))


def line_of(comment, source=C):
    return next(number for number, line in enumerate(source.splitlines(), 1) if f"/* {comment} */" in line)


def sizes(text):
    return sorted(set(text.splitlines()))


class Rules(TestCase):
    def setUp(self):
        if "without" in nestbind("lines", os.devnull).stderr or "cannot be loaded" in nestbind("lines", os.devnull).stderr:
            self.skipTest("no libdw")

    def build(self, name, compiler, *options, source=C, suffix=".c"):
        path = os.path.join(self.folder, name)
        code = self.file(name + suffix, source)
        done = subprocess.run([compiler, "-O2", "-g", "-fopenmp", code, "-o", path, *options], cwd=self.folder, capture_output=True, check=False)
        if done.returncode != 0 and "not found" in str(done.stderr):
            self.skipTest(f"{compiler} cannot compile here")
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def run_with(self, rules, program, *arguments, spec=(), threads=8, **env):
        file = self.file("rules", rules)
        return nestbind("run", "--library", LIBRARY, "--rules", file, *spec, "--", program, *arguments,
                        env={"OMP_NUM_THREADS": str(threads), "NESTBIND_QUIET": "1", **env})

    def each_program(self):
        for compiler, _ in COMPILERS:
            for level in ("-O0", "-O2"):
                with self.subTest(compiler + level):
                    name = compiler + level
                    yield self.build(name, compiler, level), name + ".c"

    def test_lists(self):
        for program, code in self.each_program():
            done = nestbind("rules", program)
            self.assertStatus(done, 0)
            found = re.findall(r"^#(\S+:\d+) +SPEC +# (\S+)$", done.stdout, re.MULTILINE)
            self.assertEqual(found, [(f"{code}:{line_of(comment)}", function) for comment, function in
                                     (("plain", "plain"), ("outer", "solve"), ("inner", "solve"), ("shared", "shared"))])
            self.assertEqual(self.run_with(done.stdout, program).returncode, 0)

    def test_lines_and_functions(self):
        for program, code in self.each_program():
            done = self.run_with(f"{code}:{line_of('outer')}-{line_of('inner')} 2,scatter,3,subcompact\nshared 1,scatter\n", program)
            self.assertEqual(sizes(done.stdout), ["inner 3 1", "max 8 1", "outer 2 1", "plain 8 2", "shared 1 1", "shared 1 2"][:4]
                             + sizes("\n".join(line for line in done.stdout.splitlines() if line.startswith("shared"))))
            self.assertIn("shared 1", done.stdout)
            self.assertNotIn("shared 8", done.stdout)
            self.assertEqual(done.stderr, "")

    def test_inner_region_alone(self):
        """With a specification and rules, the outer teams must not change, and each member's inner team must follow the rule."""
        for program, code in self.each_program():
            done = self.run_with(f"{code}:{line_of('inner')} off\nplain off", program, spec=("2,scatter,2,subcompact",))
            self.assertEqual(sizes(done.stdout), ["inner 2 2", "max 2 2", "outer 2 1", "plain 2 2", "shared 2 1"])

    def test_inner_region_of_an_unbound_team(self):
        program = self.build("unbound", "gcc")
        done = self.run_with(f"unbound.c:{line_of('inner')} 2,scatter\n", program, NESTBIND_QUIET="0", OMP_MAX_ACTIVE_LEVELS="2", threads=2)
        self.assertIn("inner 2 2", done.stdout)
        self.assertEqual(done.stderr.count("a region with a rule is not bound"), 1)

    def test_first_match_wins(self):
        for program, code in self.each_program():
            done = self.run_with(f"plain 3,scatter\n{code}:1-99 2,scatter\n* 1,scatter\n", program)
            self.assertIn("plain 3", done.stdout)
            self.assertIn("shared 2", done.stdout)

    def test_templates_and_lambdas(self):
        for _, compiler in COMPILERS:
            with self.subTest(compiler):
                program = self.build("cxx-" + compiler, compiler, source=CXX, suffix=".cpp")
                rules = f"fill 2,scatter\nSolver::operator() 3,scatter\ncxx-{compiler}.cpp:{line_of('lambda', CXX)} 4,scatter\n"
                done = self.run_with(rules, program)
                self.assertEqual(sizes(done.stdout), ["fill 2.5 2", "fill 3 2", "lambda 4", "solver 3"])
                # In the line table each function of a template or class has its own sequence.
                in_solver = line_of("template", CXX) + 6
                rules = f"cxx-{compiler}.cpp:{line_of('template', CXX)} 3,scatter\ncxx-{compiler}.cpp:{in_solver} 2,scatter\n"
                done = self.run_with(rules + "* 1,scatter\n", program)
                self.assertEqual((sizes(done.stdout), done.stderr), (["fill 2.5 3", "fill 3 3", "lambda 1", "solver 2"], ""))

    def fortran(self):
        for compiler in ("gfortran", "flang-new-19"):
            with self.subTest(compiler):
                try:
                    yield self.build("fortran-" + compiler, compiler, source=FORTRAN, suffix=".f90")
                except FileNotFoundError:
                    continue

    def test_fortran(self):
        for program in self.fortran():
            done = self.run_with(f"solve 2,scatter\n{os.path.basename(program)}.f90:16-17 3,scatter\n", program)
            self.assertEqual((sizes(done.stdout), done.stderr), (["inside 8", "main 8", "outside 3", "solve 2"], ""))

    def test_names_of_fortran(self):
        """Names are found as people write them: case does not matter, and a module or the program may come before."""
        for program in self.fortran():
            for name, region in (("SOLVE", "solve"), ("Work::Solve", "solve"), ("work%solve", "solve"), ("OutSide", "outside"),
                                 ("INSIDE", "inside"), ("Main", "main"), (os.path.basename(program) + ":Solve", "solve")):
                for runtime in ("native", "llvm"):
                    with self.subTest(name, runtime=runtime):
                        file = self.file("names", f"{name} 2,scatter\n")
                        done = nestbind("run", "--library", LIBRARY, "--rules", file, "--runtime", runtime, "--", program,
                                        env={"OMP_NUM_THREADS": "3"})
                        self.assertEqual({line for line in done.stdout.splitlines() if not line.endswith(" 3")}, {region + " 2"}, done.stderr)
            done = self.run_with("quite_another 2,scatter\n", program, NESTBIND_QUIET="0")
            self.assertIn("outside, work::solve", done.stderr)
            self.assertIn(" # work::solve\n", nestbind("rules", program).stdout)
        program = self.build("fortran-gfortran", "gfortran", source=FORTRAN, suffix=".f90")
        self.assertIn("main 2", self.run_with("HEAT 2,scatter\n", program).stdout)

    def test_loaded_library(self):
        loader = self.build("loader", "gcc", "-fno-openmp", source=LOADER)
        for compiler, _ in COMPILERS:
            with self.subTest(compiler):
                library = self.build(f"libplugin-{compiler}.so", compiler, "-shared", "-fPIC", source=PLUGIN)
                name = os.path.basename(library)
                for rule in (f"{name}:*", f"{library}:work", f"{library}:{name}.c:5"):
                    done = self.run_with(f"{rule} 3,scatter\n", loader, library)
                    self.assertEqual((sizes(done.stdout), done.stderr), (["work 3"], ""), rule)

    def test_unmatched(self):
        program = self.build("unmatched", "gcc")
        done = self.run_with(f"sheared 2,scatter\nunmatched.c:{line_of('plain') + 1} 2,scatter\nunmatshed.c:3 off\nother.so:* off\n",
                             program, NESTBIND_QUIET="0")
        self.assertStatus(done, 0)
        self.assertRegex(done.stderr, "line 1: sheared: .*did you mean shared\\?")
        self.assertRegex(done.stderr, f"line 2: unmatched.c:.*the nearest is unmatched.c:{line_of('plain')}")
        self.assertRegex(done.stderr, "line 3: unmatshed.c:3: .*did you mean unmatched.c\\?")
        self.assertRegex(done.stderr, "line 4: other.so:")

    def test_missing_library_is_reported(self):
        """If a rule names a function of a library, the command must find the library's file."""
        script = self.file("script", "#!/bin/sh\n")
        os.chmod(script, 0o755)
        for program in (script, "/bin/true"):
            done = self.run_with("libother.so:* off\nlibother.so:work off\nwork off\n", program, NESTBIND_QUIET="0")
            self.assertEqual(re.findall(r"rules, line (\d): ([^ ]+): .*?(folder|loaded later).*\n", done.stderr),
                             [("2", "libother.so:work", "folder"), ("3", "work", "loaded later")])

    def test_nearest_line(self):
        program = self.build("nearest", "gcc")
        done = self.run_with("nearest.c:3 2,scatter\n", program, NESTBIND_QUIET="0")
        self.assertIn(f"the nearest is nearest.c:{line_of('plain')}", done.stderr)

    def test_stripped(self):
        program = self.build("stripped", "gcc", "-s")
        done = self.run_with("shared 2,scatter\nstripped.c:3-99 2,scatter\n", program, NESTBIND_QUIET="0")
        self.assertRegex(done.stderr, "line 1: .*stripped has no symbols: it is stripped")
        self.assertRegex(done.stderr, "line 2: .*stripped has no line tables: compile it with -g")
        self.assertIn("shared 8", done.stdout)
        listed = nestbind("rules", program)
        self.assertIn("stripped:*", listed.stdout)
        self.assertIn("shared 2", self.run_with("stripped:* 2,scatter", program).stdout)

    def test_bad_files(self):
        program = self.build("bad", "gcc")
        for text, where in (("plain 2,bogus\n", "line 1, column 9"), ("# c\n\nplain\n", "line 3, column 6"), ("a.c:9-3 off", "line 1, column 5"),
                            ("a.c:3x off", "line 1, column 5"), ("* 4,scatter\nb\0c off", "line 2, column 2"), (": off", "line 1, column 1")):
            done = self.run_with(text, program)
            self.assertStatus(done, 2)
            self.assertIn(where, done.stderr)
            self.assertRegex(done.stderr.splitlines()[-1] if "column 6" not in where else done.stderr, r"\^")
            self.assertEqual(done.stdout, "")
        huge = self.file("huge", "# nothing\n" * 200000)
        fifo = os.path.join(self.folder, "fifo")
        os.mkfifo(fifo)
        for name in (huge, fifo, self.folder, "/dev/zero", os.path.join(self.folder, "none")):
            done = nestbind("run", "--rules", name, "--", program)
            self.assertStatus(done, 2)
            self.assertIn(name, done.stderr)
        self.assertIn("regular file", nestbind("run", "--rules", fifo, "--", program).stderr)

    def test_impossible_function_names_match_nothing(self):
        program = self.build("noname", "gcc")
        for name in ("::", "()", "<x>", "(anonymous"):
            done = self.run_with(f"{name} 1,compact\n", program, NESTBIND_QUIET="0")
            self.assertIn("no parallel region", done.stderr)
            self.assertIn("shared 8", done.stdout)

    def test_names_with_special_characters(self):
        program = self.build("a #b:c d", "gcc")
        for rule in ("shared", "a??b?c?d:*"):
            done = self.run_with(f"{rule} 2,scatter\n", program, NESTBIND_QUIET="0")
            self.assertIn("shared 2 1", done.stdout, rule)
            self.assertNotIn("nestbind: NESTBIND", done.stderr)
        stripped = self.build("e f", "gcc", "-s")
        self.assertIn("#e?f:*", nestbind("rules", stripped).stdout)

    def test_many_lines(self):
        program = self.build("many", "gcc")
        done = self.run_with("x.so:* off\n" * 8193, program)
        self.assertStatus(done, 2)
        self.assertIn("8192", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertStatus(self.run_with("x.so:* off\n" * 8191 + "* 2,scatter", program), 0)

    def test_empty(self):
        """An empty file has no rule: the specification is used for all regions, and there is no message."""
        program = self.build("empty", "gcc")
        for text in ("", "\n", "# nothing\n"):
            done = self.run_with(text, program, spec=("2,scatter",), NESTBIND_QUIET="0")
            self.assertStatus(done, 0)
            self.assertIn("shared 2 1", done.stdout)
            self.assertEqual(done.stderr, "")
        by_hand = subprocess.run([program], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_RULES=self.file("empty-rules", ""), OMP_NUM_THREADS="3"),
                                 capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((by_hand.returncode, by_hand.stderr), (0, ""))
        self.assertIn("shared 3 2", by_hand.stdout)

    def test_binary(self):
        """The message must say where the fault is, and the program must not start."""
        program = self.build("binary", "gcc")
        done = nestbind("run", "--rules", program, "--", program)
        self.assertStatus(done, 2)
        self.assertIn("line 1, column 5", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_mark_of_utf_8(self):
        program = self.build("marked", "gcc")
        done = self.run_with("\ufeffshared 2,scatter\n", program, NESTBIND_QUIET="0")
        self.assertIn("shared 2 1", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_teams_of_one(self):
        """Without a schedule there must be no message about a schedule."""
        plugin = PLUGIN + "int main(void) { work(); return 0; }\n"
        done = self.run_with("* 1,scatter\n", self.build("alone", "gcc", source=plugin), NESTBIND_QUIET="0")
        self.assertEqual((done.stdout, done.stderr), ("work 1\n", ""))

    def test_roots_with_rules(self):
        """Rules are used in the parts of root threads, too, without a message. A process that forks no team must print no message."""
        env = {"NESTBIND_QUIET": "0", "NESTBIND_ROOTS": "divide"}
        self.assertEqual(self.run_with("* 2,scatter\n", "sh", "-c", "sh -c true; sh -c true", **env).stderr, "")
        program = self.build("roots", "gcc", "-pthread", source=ROOTS)
        for spec in ((), ("2,scatter",)):
            self.assertEqual(self.run_with("* 2,scatter\n", program, spec=spec, **env).stderr, "")

    def test_variable_by_hand(self):
        """The rules must have no effect. The message must suggest `nestbind run --rules`."""
        program = self.build("byhand", "gcc")
        file = self.file("rules-by-hand", "shared 2,scatter\n")
        done = subprocess.run([program], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_RULES=file, OMP_NUM_THREADS="3"),
                              capture_output=True, encoding="utf-8", check=False)
        self.assertIn("nestbind run --rules", done.stderr)
        self.assertIn("shared 3 2", done.stdout)

    def test_bad_files_by_hand(self):
        """With a bad file, the program must run as if there were no rules. It must not wait for the file."""
        program = self.build("badhand", "gcc")
        fifo = os.path.join(self.folder, "fifo-by-hand")
        os.mkfifo(fifo)
        for name in (self.file("huge-by-hand", "# nothing\n" * 200000), fifo, self.folder, "/dev/zero", os.path.join(self.folder, "none"), program,
                     self.file("bad-by-hand", "* 2,scatter\n* 2,bogus\n")):
            with self.subTest(name):
                done = subprocess.run([program], env=environment(LD_PRELOAD=LIBRARY, NESTBIND_RULES=name, OMP_NUM_THREADS="3"),
                                      capture_output=True, encoding="utf-8", timeout=60, check=False)
                self.assertEqual(done.returncode, 0)
                self.assertIn("shared 3 2", done.stdout)
                self.assertEqual(done.stderr.count("nestbind: "), 1, done.stderr)
                self.assertIn(name, done.stderr)

    def test_printed_variables(self):
        file = self.file("rules-printed", "* 2,scatter\n")
        done = nestbind("run", "--print-env", "--rules", file)
        self.assertRegex(done.stdout, r"(?m)^export NESTBIND_RULES='/")
        self.assertNotIn("OMP_NESTING_TEAM_SIZE", done.stdout)
        self.assertStatus(nestbind("run", "--print-env", "--rules", self.file("rules-of-lines", "f 2,scatter\n")), 2)

    def test_children(self):
        """If a shell starts programs, each program gets only the rules with its own name."""
        program = self.build("child", "gcc")
        file = self.file("rules-of-child", "child:* 2,scatter\n")
        done = nestbind("run", "--library", LIBRARY, "--rules", file, "--", "sh", "-c", program,
                        env={"OMP_NUM_THREADS": "4"})
        self.assertIn("shared 2 1", done.stdout)

    def test_no_regions(self):
        self.assertStatus(nestbind("rules", "/bin/true"), 1)
        self.assertStatus(nestbind("rules", os.path.join(self.folder, "none")), 1)


if __name__ == "__main__":
    unittest.main()
