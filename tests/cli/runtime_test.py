# SPDX-License-Identifier: BSD-3-Clause
"""nestbind run --runtime=llvm: GCC's programs on LLVM's runtime, and who is refused."""
import os
import re
import shutil
import subprocess
import unittest

from support import COMMAND, SESSION, TestCase, nestbind

# What the programs say: where each thread may run, and which runtimes are mapped.
TELL = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
void tell_place(int outer, int inner) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  char line[1024];
  int length = sprintf(line, "%d.%d", outer, inner);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask) && length < 1000) length += sprintf(line + length, " %d", cpu);
  puts(line);
}
void tell_runtime(void) {
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    char *name = strrchr(line, '/');
    if (name && strstr(line, "r-xp") && strstr(name, "omp")) printf("runtime %s", name + 1);
  }
  fclose(maps);
}
"""

C = r"""
#include <omp.h>
void tell_place(int, int);
void tell_runtime(void);
int main(void) {
#pragma omp parallel
#pragma omp parallel
#pragma omp critical
  tell_place(omp_get_ancestor_thread_num(1), omp_get_thread_num());
  tell_runtime();
  return 42;
}
"""

CXX = r"""
#include <omp.h>
#include <vector>
extern "C" void tell_place(int, int);
extern "C" void tell_runtime();
int main() {
  std::vector<int> seen;
  long sum = 0;
#pragma omp parallel
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
    for (int i = 0; i < omp_get_num_threads(); ++i) {
      sum += i;
#pragma omp critical
      {
        seen.push_back(i);
        tell_place(outer, omp_get_thread_num());
      }
    }
  }
  tell_runtime();
  return seen.empty() || sum < 0 ? 1 : 42;
}
"""

FORTRAN = """
program nested
  use omp_lib
  use iso_c_binding
  implicit none
  interface
    subroutine tell_place(outer, inner) bind(c)
      import c_int
      integer(c_int), value :: outer, inner
    end subroutine
    subroutine tell_runtime() bind(c)
    end subroutine
  end interface
  !$omp parallel
  !$omp parallel
  !$omp critical
  call tell_place(int(omp_get_ancestor_thread_num(1), c_int), int(omp_get_thread_num(), c_int))
  !$omp end critical
  !$omp end parallel
  !$omp end parallel
  call tell_runtime()
  stop 42
end program
"""

EIGHT_BYTE_INTEGERS = """
program eight
  use omp_lib
  print *, 'started'
  call omp_set_num_threads(2)
end program
"""

NEWER_NODE = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
  void *block = omp_alloc(8, omp_default_mem_alloc);
#pragma omp parallel
  puts("started");
  omp_free(block, omp_default_mem_alloc);
  return 0;
}
"""

TARGET = r"""
#include <stdio.h>
int main(int argc, char **argv) {
  (void)argv;
  puts("started");
#pragma omp target map(tofrom : argc)
  argc = 0;
  return argc;
}
"""

STARTED = r"""
#include <stdio.h>
int main(void) {
#pragma omp parallel
  puts("started");
  return 42;
}
"""


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout


def libomp():
    for line in output_of("/sbin/ldconfig", "-p").splitlines():
        if line.strip().startswith("libomp.so.5 "):
            return line.split("=> ")[1]
    raise unittest.SkipTest("there is no libomp.so.5")


def libgomp():
    return output_of("gcc", "-print-file-name=libgomp.so.1").strip()


class RuntimeTestCase(TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.libomp = os.path.realpath(libomp())
        cls.clang = next((c for c in ("clang-19", "clang-14", "clang") if shutil.which(c)), "clang")

    def run_on_llvm(self, spec, *program, options=(), env=None):
        return nestbind("run", "--runtime=llvm", *options, spec, "--", *program,
                        env=env)

    def library(self, name, source, *options):
        code = self.file(name + "_library.c", source)
        path = os.path.join(self.folder, "lib" + name + ".so")
        output_of("gcc", "-shared", "-fPIC", "-O1", code, "-o", path, *options)
        return path

    def fortran(self, name, source, *options):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        code = self.file(name + ".f90", source)
        path = os.path.join(self.folder, name)
        output_of("gfortran", "-O1", "-J", self.folder, code, "-o", path, "-fopenmp", *options)
        return path


class Places(RuntimeTestCase):
    """Two processors: an outer thread on each, and its inner team beside it."""

    def setUp(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("there is one processor")
        self.first, self.second = cpus[:2]
        self.told = self.file("tell.c", TELL)
        self.tell = os.path.join(self.folder, "tell.o")
        output_of("gcc", "-c", self.told, "-o", self.tell)

    def assert_bound(self, program, **keywords):
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self.first, self.second})
        try:
            process = self.run_on_llvm("2,scatter,2,subcompact", program, **keywords)
        finally:
            os.sched_setaffinity(0, before)
        self.assertStatus(process, 42)
        lines = sorted(line for line in process.stdout.splitlines() if not line.startswith("runtime"))
        self.assertEqual(lines, [f"0.0 {self.first}", f"0.1 {self.first}",
                                 f"1.0 {self.second}", f"1.1 {self.second}"])
        runtimes = [line.split()[1] for line in process.stdout.splitlines() if line.startswith("runtime")]
        self.assertEqual(len(runtimes), 1, runtimes)
        return runtimes[0], process

    def test_c(self):
        runtime, process = self.assert_bound(self.compile("c", self.tell, "-fopenmp", source=C))
        self.assertTrue(runtime.startswith("libomp"), runtime)
        self.assertEqual(process.stderr, "nestbind: warning: 4 threads share 2 slots\n")

    def test_cxx(self):
        code = self.file("cxx.cpp", CXX)
        program = os.path.join(self.folder, "cxx")
        output_of("g++", "-O1", "-fopenmp", code, self.tell, "-o", program)
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_fortran(self):
        runtime, _ = self.assert_bound(self.fortran("fortran", FORTRAN, self.tell))
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_run_path_of_the_program(self):
        """DT_RUNPATH comes behind LD_LIBRARY_PATH."""
        runtime, _ = self.assert_bound(self.compile(
            "runpath", self.tell, "-fopenmp", "-Wl,--enable-new-dtags,-rpath," + os.path.dirname(libgomp()),
            source=C))
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_made_by_clang(self):
        try:
            program = self.compile("clang", self.tell, "-fopenmp", source=C, compiler=self.clang)
        except subprocess.CalledProcessError:
            self.skipTest(f"{self.clang} has no OpenMP runtime")
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_both_compilers(self):
        """The two halves of one program share the runtime."""
        try:
            half = os.path.join(self.folder, "libhalf.so")
            output_of(self.clang, "-shared", "-fPIC", "-fopenmp", "-x", "c", self.file(
                "half.c", "int sum;\nvoid half(void) {\n#pragma omp parallel reduction(+ : sum)\nsum += 1;}"), "-o", half)
        except (subprocess.CalledProcessError, FileNotFoundError):
            self.skipTest(f"{self.clang} is missing, or has no OpenMP runtime")
        program = self.compile("both", self.tell, "-fopenmp", half, source=C.replace(
            "int main(void) {", "void half(void);\nint main(void) {\n  half();"))
        runtime, _ = self.assert_bound(program)
        self.assertTrue(runtime.startswith("libomp"), runtime)

    def test_named_file(self):
        copy = os.path.join(self.folder, "libcopy_of_omp.so")
        shutil.copy(self.libomp, copy)
        program = self.compile("named", self.tell, "-fopenmp", source=C)
        runtime, _ = self.assert_bound(program, options=["--runtime=llvm:" + copy])
        self.assertEqual(runtime, "libcopy_of_omp.so")
        odd = shutil.copy(copy, os.path.join(self.folder, "odd:name.so"))
        process = self.run_on_llvm("2,scatter", program, options=["--runtime=llvm:" + odd])
        self.assertStatus(process, 1)
        self.assertIn("cannot be in LD_LIBRARY_PATH", process.stderr)


class Environment(RuntimeTestCase):
    def variables(self, *options, spec="2,scatter,2,subcompact", **keywords):
        process = self.run_on_llvm(spec, "sh", "-c", "env", options=options, **keywords)
        self.assertStatus(process, 0)
        return dict(line.split("=", 1) for line in process.stdout.splitlines() if "=" in line)

    def test_folder(self):
        found = self.variables()
        folder = found["LD_LIBRARY_PATH"]
        self.assertTrue(folder.startswith(SESSION + "/nestbind/"), folder)
        self.assertEqual(os.readlink(folder + "/libgomp.so.1"), self.libomp)
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual(found["NESTBIND_RUNTIME"], "llvm")
        # Where one starts the other, the link still leads to the file.
        process = self.run_on_llvm("2,scatter", COMMAND, "run", "--runtime=llvm", "2,scatter", "--", "sh", "-c",
                                   "echo $LD_LIBRARY_PATH")
        self.assertEqual(process.stdout.strip(), folder + ":" + folder)
        # The others' come behind it, and the next time it is the same one.
        self.assertEqual(self.variables(env={"LD_LIBRARY_PATH": "/a:/b"})["LD_LIBRARY_PATH"], folder + ":/a:/b")

    def test_native(self):
        found = self.variables("--runtime=native")
        self.assertNotIn("LD_LIBRARY_PATH", found)
        self.assertNotIn("NESTBIND_RUNTIME", found)

    def test_without_a_session(self):
        folder = os.path.join(self.folder, "temporary")
        os.mkdir(folder, 0o700)
        found = self.variables(env={"XDG_RUNTIME_DIR": "", "TMPDIR": folder})["LD_LIBRARY_PATH"]
        self.assertTrue(found.startswith(f"{folder}/nestbind-{os.geteuid()}/"), found)

    def test_hot_teams(self):
        for spec, levels in (("2,scatter", "1"), ("2,scatter,2,subcompact", "2"),
                             ("1,scatter,1,scatter,2,subcompact", "3")):
            for runtime in ("llvm", "native"):
                with self.subTest(spec=spec, runtime=runtime):
                    found = self.variables("--runtime=" + runtime, spec=spec)
                    self.assertEqual(found["KMP_HOT_TEAMS_MAX_LEVEL"], levels)
                    found = self.variables("--runtime=" + runtime, spec=spec,
                                           env={"KMP_HOT_TEAMS_MAX_LEVEL": "5"})
                    self.assertEqual(found["KMP_HOT_TEAMS_MAX_LEVEL"], "5")

    def test_unchecked(self):
        """A shell has no runtime; the library looks at what it starts."""
        process = self.run_on_llvm("2,scatter", "true")
        self.assertStatus(process, 0)
        self.assertIn("without having been checked", process.stderr)
        self.assertEqual(self.run_on_llvm("2,scatter", "true", env={"NESTBIND_QUIET": "1"}).stderr, "")
        stays = self.compile("stays", "-fopenmp", "-Wl,--disable-new-dtags,-rpath," + os.path.dirname(libgomp()),
                             source=STARTED)
        process = self.run_on_llvm("2,scatter", "sh", "-c", stays + "; true")
        self.assertIn(f"but {stays} runs on GCC's", process.stderr)
        goes = self.compile("goes", "-fopenmp", source=STARTED)
        process = self.run_on_llvm("2,scatter", "sh", "-c", goes + "; true")
        self.assertNotIn("runs on GCC's", process.stderr)

    def test_weak_reference(self):
        """Nobody needs what the program looks for first."""
        program = self.compile("weak", "-fopenmp", source=STARTED.replace("int main(void) {", (
            "void GOMP_nowhere(void) __attribute__((weak));\n"
            "int main(void) {\n  if (GOMP_nowhere) GOMP_nowhere();")))
        process = self.run_on_llvm("2,scatter", program)
        self.assertStatus(process, 42)
        self.assertEqual(process.stdout, "started\nstarted\n")

    def test_bad_values(self):
        for value in ("intel", "llvm:", "llvmx", "native:x", ""):
            with self.subTest(value=value):
                process = nestbind("run", "--runtime=" + value, "2,scatter", "--", "echo", "started")
                self.assertStatus(process, 2)
                self.assertEqual(process.stdout, "")


class Refused(RuntimeTestCase):
    def assert_refused(self, program, *reasons, **keywords):
        process = self.run_on_llvm("2,scatter", program, **keywords)
        self.assertStatus(process, 1)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for reason in reasons:
            self.assertIn(reason, process.stderr)

    def test_version_node(self):
        program = self.compile("newer", "-fopenmp", source=NEWER_NODE)
        self.assert_refused(program, "omp_alloc (OMP_5.0.1)", "needed by " + program)

    def test_version_node_alone(self):
        """Of a function that it has, under another version."""
        stub = os.path.join(self.folder, "stub")
        os.makedirs(stub, exist_ok=True)
        nodes = self.file("nodes.map", "GOMP_99.0 { omp_get_num_procs; };")
        output_of("gcc", "-shared", "-fPIC", "-Wl,--version-script=" + nodes, "-Wl,-soname,libgomp.so.1", "-x", "c",
                  self.file("stub.c", "int omp_get_num_procs(void) { return 1; }"), "-o", stub + "/libgomp.so")
        program = self.compile("future", "-L" + stub, "-lgomp", source=(
            "#include <stdio.h>\nint omp_get_num_procs(void);\n"
            "int main(void) { puts(\"started\"); return omp_get_num_procs(); }"))
        self.assert_refused(program, "version node GOMP_99.0")

    def test_target(self):
        self.assert_refused(self.compile("target", "-fopenmp", source=TARGET), "GOMP_target")

    def test_eight_byte_integers(self):
        program = self.fortran("eight", EIGHT_BYTE_INTEGERS, "-fdefault-integer-8")
        self.assert_refused(program, "omp_set_num_threads_8_ (OMP_1.0)")

    def test_need_of_a_library(self):
        library = self.library("needs", NEWER_NODE.replace("main", "work"), "-fopenmp")
        program = self.compile("user", "-fopenmp", library, source=STARTED.replace(
            "return 42;", "int work(void); return work();"))
        self.assert_refused(program, "omp_alloc", "needed by " + library)

    def test_rpath(self):
        old = "-Wl,--disable-new-dtags,-rpath," + os.path.dirname(libgomp())
        program = self.compile("rpath", "-fopenmp", old, source=STARTED)
        self.assert_refused(program, "the DT_RPATH of " + program, "libgomp.so.1")
        library = self.library("rpath", STARTED.replace("main", "work"), "-fopenmp", old)
        program = self.compile("rpath_user", library, source=STARTED.replace(
            "return 42;", "int work(void); return work();"))
        self.assert_refused(program, "the DT_RPATH of " + library)

    def test_static(self):
        self.assert_refused(self.compile("static", "-fopenmp", "-static", source=STARTED), "static program")
        self.assert_refused(self.compile("static_runtime", "-fopenmp", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic",
                                         source=STARTED), "libgomp.a")

    def test_set_user_id(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a program to another user")
        program = self.compile("set_user_id", "-fopenmp", source=STARTED)
        os.chown(program, 65534, -1)
        os.chmod(program, 0o4755)
        self.assert_refused(program, "set-user-ID")

    def test_renamed_copy(self):
        """As Python wheels have them."""
        if shutil.which("patchelf") is None:
            self.skipTest("there is no patchelf")
        copy = os.path.join(self.folder, "libgomp-24e2ab19.so.1.0.0")
        shutil.copy(libgomp(), copy)
        program = self.compile("wheel", "-fopenmp", "-Wl,-rpath," + self.folder, source=STARTED)
        output_of("patchelf", "--replace-needed", "libgomp.so.1", os.path.basename(copy), program)
        self.assert_refused(program, "a copy under a name of its own, libgomp-24e2ab19.so.1.0.0")

    def test_preloaded(self):
        program = self.compile("preloaded", "-fopenmp", source=STARTED)
        self.assert_refused(program, "it is asked for by its path", env={"LD_PRELOAD": libgomp()})

    def test_two_runtimes(self):
        if shutil.which("patchelf") is None:
            self.skipTest("there is no patchelf")
        other = os.path.join(self.folder, "libother.so")
        shutil.copy(self.libomp, other)
        output_of("patchelf", "--set-soname", "libother.so", other)
        program = self.compile("two", "-fopenmp", "-Wl,--no-as-needed", other, "-Wl,-rpath," + self.folder,
                               source=STARTED)
        self.assert_refused(program, "two of LLVM's runtimes", other)

    def test_file(self):
        program = self.compile("plain", "-fopenmp", source=STARTED)
        for file, reason in (("/nosuch.so", "/nosuch.so: No such file"), (libgomp(), "is not LLVM's"),
                             (self.file("text.so", "text"), "is not LLVM's")):
            with self.subTest(file=file):
                self.assert_refused(program, reason, options=["--runtime=llvm:" + file])

    def test_folder_of_others(self):
        program = self.compile("folder", "-fopenmp", source=STARTED)
        for name, mode in (("group", 0o770), ("others", 0o755)):
            session = os.path.join(self.folder, "session_" + name)
            os.makedirs(session + "/nestbind")
            os.chmod(session + "/nestbind", mode)
            self.assert_refused(program, "is not a folder of this user alone", env={"XDG_RUNTIME_DIR": session})
        session = os.path.join(self.folder, "session_link")
        os.mkdir(session)
        os.symlink(SESSION, session + "/nestbind")
        self.assert_refused(program, "is not a folder of this user alone", env={"XDG_RUNTIME_DIR": session})
        if os.getuid() != 0:
            return
        session = os.path.join(self.folder, "session_owner")
        os.makedirs(session + "/nestbind", 0o700)
        os.chown(session + "/nestbind", 65534, -1)
        self.assert_refused(program, "is not a folder of this user alone", env={"XDG_RUNTIME_DIR": session})

    def test_session_that_others_can_write(self):
        """Then the folder is elsewhere."""
        session = os.path.join(self.folder, "session_open")
        temporary = os.path.join(self.folder, "private")
        os.mkdir(session)
        os.chmod(session, 0o777)
        os.mkdir(temporary, 0o700)
        process = self.run_on_llvm("2,scatter", "sh", "-c", "echo $LD_LIBRARY_PATH",
                                   env={"XDG_RUNTIME_DIR": session, "TMPDIR": temporary})
        self.assertTrue(process.stdout.startswith(temporary + "/"), process.stdout)

    def test_link_that_leads_elsewhere(self):
        program = self.compile("link", "-fopenmp", source=STARTED)
        session = os.path.join(self.folder, "session_elsewhere")
        os.mkdir(session, 0o700)
        env = {"XDG_RUNTIME_DIR": session}
        found = self.run_on_llvm("2,scatter", "sh", "-c", "echo $LD_LIBRARY_PATH", env=env).stdout.strip()
        os.remove(found + "/libgomp.so.1")
        os.symlink(libgomp(), found + "/libgomp.so.1")
        self.assert_refused(program, "does not lead to", env=env)


class Doctor(RuntimeTestCase):
    def told(self, program, status=0):
        process = nestbind("doctor", program)
        self.assertStatus(process, status)
        return re.findall(r"^llvm +(.*)$", process.stdout, re.M)

    def test_program_of_gcc(self):
        found = self.told(self.compile("good", "-fopenmp", source=STARTED))
        self.assertEqual(len(found), 1)
        self.assertIn("can run on LLVM's runtime too, " + self.libomp, found[0])
        found = self.told(self.compile("target", "-fopenmp", source=TARGET))
        self.assertIn("cannot run on LLVM's runtime: it lacks", found[0])

    def test_other_programs(self):
        self.assertEqual(self.told("sh", status=1), [])


if __name__ == "__main__":
    unittest.main()
