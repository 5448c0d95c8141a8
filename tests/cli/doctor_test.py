# SPDX-License-Identifier: BSD-3-Clause
"""Tests what nestbind doctor says about programs."""
import os
import random
import shlex
import shutil
import struct
import subprocess
import unittest

from doctoring import Doctor, doctor, topics
from support import COMMAND, LIBRARY, nestbind

INSTRUMENTED = "void {0}(void *); int main(void) {{ {0}(0); return 0; }}"


class Runtimes(Doctor):
    def test_gnu(self):
        process = doctor(self.compile("gnu", "-fopenmp"))
        self.assert_bound(process, "GOMP")
        self.assertIn("GCC's, libgomp.so.1", topics(process)["runtime"][0])

    def llvm(self):
        compiler = next((c for c in ("clang-19", "clang", "clang-14") if shutil.which(c)), "clang")
        try:
            return self.compile("llvm", "-fopenmp", compiler=compiler)
        except subprocess.CalledProcessError:
            self.skipTest(f"{compiler} has no OpenMP runtime")

    def test_llvm(self):
        process = doctor(self.llvm())
        self.assert_bound(process, "OMPT")
        self.assertIn("LLVM's", topics(process)["runtime"][0])

    def test_llvm_without_tools(self):
        self.assert_not_bound(doctor(self.llvm(), env={"OMP_TOOL": "disabled"}), "OMP_TOOL=disabled")

    def test_llvm_instead_of_gnu(self):
        for line in subprocess.run(["ldd", self.llvm()], stdout=subprocess.PIPE, encoding="utf-8",
                                   check=True).stdout.splitlines():
            if "libomp" in line:
                runtime = line.split("=> ")[1].split()[0]
        folder = os.path.join(self.folder, "instead")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(runtime, os.path.join(folder, "libgomp.so.1"))
        process = doctor(self.compile("on_llvm", "-fopenmp"), env={"LD_LIBRARY_PATH": folder})
        self.assert_bound(process, "OMPT")
        self.assertIn("LLVM's, libgomp.so.1", topics(process)["runtime"][0])

    def test_renamed_copy(self):
        code = self.file("forks.c", "void f(void) {\n#pragma omp parallel\n;}")
        library = os.path.join(self.folder, "libforks.so")
        original = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], stdout=subprocess.PIPE,
                                  encoding="utf-8", check=True).stdout.strip()
        copy = os.path.join(self.folder, "libgomp-24e2ab19.so.1.0.0")
        with open(original, "rb") as file:
            data = file.read()
        # The loader looks for the file's name (DT_NEEDED), not for the SONAME.
        with open(copy, "wb") as file:
            file.write(data)
        subprocess.run(["gcc", "-shared", "-fPIC", "-fopenmp", "-c", code, "-o", library + ".o"], check=True)
        subprocess.run(["gcc", "-shared", library + ".o", "-o", library, "-Wl,-rpath,$ORIGIN",
                        "-Wl,--allow-shlib-undefined", copy], check=True)
        program = self.compile("wheel", "-L" + self.folder, "-lforks", "-Wl,-rpath," + self.folder,
                               "-Wl,--allow-shlib-undefined", source="void f(void); int main(void) { f(); }")
        self.assert_bound(doctor(program), "GOMP")

    def test_static_runtime(self):
        program = self.compile("static_runtime", "-fopenmp", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic")
        process = doctor(program)
        self.assert_not_bound(process, "the program contains GCC's OpenMP runtime (libgomp.a)")
        self.assertIn("libgomp.a", topics(process)["runtime"][0])

    def test_static_runtime_and_another_runtime(self):
        """`nestbind doctor` and `nestbind run` must give the same reason."""
        for compiler, name in (("gcc", "gnu"), ("clang-19", "llvm")):
            library = os.path.join(self.folder, f"libbeside_{name}.so")
            if shutil.which(compiler) is None:
                continue
            subprocess.run([compiler, "-shared", "-fPIC", "-fopenmp", "-o", library, "-x", "c", self.file(
                "beside.c", "void beside(void) {\n#pragma omp parallel\n;}")], check=True)
            program = self.compile("beside_" + name, "-c", "-fopenmp")
            linked = os.path.join(self.folder, "linked_" + name)
            subprocess.run(["gcc", program, "-Wl,--no-as-needed", library, "-l:libgomp.a", "-ldl", "-lpthread", "-o", linked], check=True)
            with self.subTest(beside=name):
                process = doctor(linked)
                self.assert_not_bound(process, "the program contains GCC's OpenMP runtime (libgomp.a)")
                strict = nestbind("run", "--strict", "2,scatter", "--", linked)
                self.assertStatus(strict, 78)
                self.assertIn("contains GCC's OpenMP runtime (libgomp.a)", strict.stderr)

    def test_loader(self):
        program = self.compile("gnu", "-fopenmp")
        self.assertIn("/ld", topics(doctor(program))["loader"][0])
        process = doctor(self.compile("no_loader", "-fopenmp", "-Wl,--dynamic-linker=/no/such/ld.so"))
        self.assert_not_bound(process, "its loader /no/such/ld.so: No such file")
        self.assertEqual(topics(process)["loader"], ["/no/such/ld.so"])
        process = doctor(self.compile("musl", "-fopenmp", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1"))
        self.assert_not_bound(process, "built for musl")

    def test_program_without_a_runtime(self):
        program = self.compile("serial", source="int main(void) { return 0; }")
        self.assert_not_bound(doctor(program), "no OpenMP runtime")

    def test_runtime_removed_by_the_linker(self):
        """The linker removes libgomp (--as-needed), because libnestbind exports all functions that the program calls."""
        source = """int omp_set_nesting_info(const char *); int puts(const char *);
            int main(void) { omp_set_nesting_info("2,scatter");
            #pragma omp parallel
            puts("member");
            }"""
        program = self.compile("left_out", "-fopenmp", "-Wl,--as-needed", LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY), source=source)
        needed = subprocess.run(["readelf", "-d", program], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        self.assertNotIn("libgomp", needed)
        self.assertEqual(nestbind(command=program).stdout, 2 * "member\n")
        process = doctor(program)
        self.assertStatus(process, 0)
        self.assertIn("GCC's", topics(process)["runtime"][0])
        self.assertEqual(topics(process)["hook"], ["GOMP"])

    def test_names_of_programs(self):
        """The suggested commands must work in a shell, whatever name the program has."""
        plain = self.compile("forking", "-fopenmp")
        hostile = os.path.join(self.folder, "a;touch PWNED $(id) 'x'")
        os.symlink(plain, hostile)
        process = doctor(hostile)
        self.assertStatus(process, 0)
        proposed = [topics(process)["verdict"][0].split(": ", 1)[1]]
        proposed += [line.split("   (")[0] for line in topics(process)["next"] if "--report" in line]
        self.assertEqual(len(proposed), 1 + (len(os.sched_getaffinity(0)) > 1))
        for line in proposed:
            self.assertEqual(shlex.split(line)[-1], hostile, line)
        self.assertIn(" -- " + plain, topics(doctor(plain))["verdict"][0])

    def test_the_shape_of_the_environment_is_proposed(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        for threads, spec in (("1,2", "1,scatter,2,scatter"), ("2", "2,scatter"), ("1000000", "core,scatter")):
            process = doctor(self.compile("forking", "-fopenmp"), env={"OMP_NUM_THREADS": threads})
            self.assertTrue(topics(process)["next"][0].startswith(f"nestbind run --report {spec} "), process.stdout)

    def test_nothing_is_proposed_for_an_unboundable_program(self):
        program = self.compile("serial", source="int main(void) { return 0; }")
        self.assertNotIn("next", topics(doctor(program)))
        self.assertIn("next", topics(doctor(self.compile("forking", "-fopenmp"))))

    def test_loaded_later(self):
        program = self.compile("loads", source="#include <dlfcn.h>\nint main(int c, char **v) "
                                               "{ return dlopen(v[c - 1], 1) == 0; }")
        process = doctor(program)
        self.assertStatus(process, 0)
        self.assertIn("later", topics(process)["note"][0])

    def test_missing_library(self):
        library = os.path.join(self.folder, "libgone.so")
        subprocess.run(["gcc", "-shared", "-o", library, "-x", "c", "/dev/null"], check=True)
        program = self.compile("gone", "-fopenmp", "-Wl,--no-as-needed", "-L" + self.folder, "-lgone")
        os.remove(library)
        self.assert_not_bound(doctor(program), "libgone.so is not found")

    def test_nestbind_too_late(self):
        ours = ["-Wl,--no-as-needed", LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY)]
        inside = os.path.join(self.folder, "libinside.so")
        subprocess.run(["gcc", "-shared", "-o", inside, "-x", "c", "/dev/null", "-x", "none", *ours], check=True)
        for name, options, before in (("behind", ["-Wl,--no-as-needed", "-lgomp", *ours], "GCC's runtime"),
                                      ("inside", ["-Wl,--no-as-needed", inside], "GCC's runtime"),
                                      ("llvm", ["-Wl,--no-as-needed", inside], "the C library")):
            with self.subTest(name):
                program = self.compile("late_" + name, "-fopenmp", *options, compiler="clang-19" if name == "llvm" else "gcc")
                process = doctor(program)
                self.assertStatus(process, 0)
                self.assertIn(before, topics(process)["nestbind"][0])
                self.assertIn("link the program itself", " ".join(topics(process)["note"]))
                self.assertIn("nestbind run alone", topics(process)["verdict"][0])
                preloaded = doctor(program, env={"LD_PRELOAD": LIBRARY})
                self.assertNotIn("link the program itself", preloaded.stdout)
                self.assertIn("binding will work", topics(preloaded)["verdict"][0])
        process = doctor(self.compile("in_time", *ours, "-fopenmp"))
        self.assertNotIn("GCC's", topics(process)["nestbind"][0])
        self.assertNotIn("link the program itself", process.stdout)


class OtherLibraries(Doctor):
    """The library that nestbind run would preload may be missing or unusable."""

    def check(self, program, told, **keywords):
        for words, command in ((["--library", "/no/such.so"], COMMAND), ([], self.alone())):
            with self.subTest(words):
                process = nestbind("doctor", *words, program, command=command, **keywords)
                found = topics(process)
                if told == "problem":
                    self.assert_not_bound(process, "/no/such.so cannot be preloaded" if words else
                                          "libnestbind.so is not found")
                    self.assertNotIn("library", found)
                else:
                    self.assert_bound(process, "GOMP")
                    self.assertIn("loads a library by itself", found["library"][0])
                    self.assertEqual(found["verdict"], ["binding will work: OMP_NESTING_TEAM_SIZE=SPEC " + program])

    def alone(self):
        """Returns a copy of the command, without the library in its folder."""
        path = os.path.join(self.folder, "alone", "nestbind")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return shutil.copy(COMMAND, path)

    def test_program_linked_with_another_library(self):
        linked = self.compile("linked", "-Wl,--no-as-needed", LIBRARY, "-fopenmp", "-Wl,-rpath," + os.path.dirname(LIBRARY))
        self.check(linked, "linked")
        late = self.compile("late", "-fopenmp", "-Wl,--no-as-needed", "-lgomp", LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY))
        self.check(late, "problem")

    def test_library_that_is_not_linked(self):
        plain = self.compile("plain", "-fopenmp")
        self.check(plain, "problem")
        self.check(plain, "preloaded", env={"LD_PRELOAD": LIBRARY})


class Instrumented(Doctor):
    def instrumented(self, name, symbol, *options):
        """Compiles a program that calls `symbol`, a function of a shared library."""
        library = os.path.join(self.folder, "lib" + name + ".so")
        code = self.file(name + "_library.c", f"void {symbol}(void *r) {{ (void)r; }}")
        subprocess.run(["gcc", "-shared", "-fPIC", code, "-o", library], check=True)
        return self.compile(name, *options, library, source=INSTRUMENTED.format(symbol))

    def test_opari(self):
        for symbol in ("pomp_parallel_begin", "pomp_parallel_begin_"):
            self.assert_bound(doctor(self.instrumented(symbol, symbol)), "POMP")

    def test_opari_with_its_own_library_and_a_static_runtime(self):
        """The program contains libgomp, but exports no function of libgomp."""
        library = os.path.join(self.folder, "libown.so")
        code = self.file("own_library.c", "void pomp_parallel_begin(void *r) { (void)r; }")
        subprocess.run(["gcc", "-shared", "-fPIC", code, "-o", library], check=True)
        source = ("#include <omp.h>\nvoid pomp_parallel_begin(void *);\nint main(void) {\n#pragma omp parallel\n"
                  "pomp_parallel_begin(0); return omp_get_level(); }")
        objects = self.compile("static_and_opari.o", "-c", "-fopenmp", source=source)
        program = os.path.join(self.folder, "static_and_opari")
        subprocess.run(["gcc", objects, library, "-l:libgomp.a", "-ldl", "-lpthread", "-o", program], check=True)
        process = doctor(program)
        self.assertStatus(process, 1)
        self.assertIn("does not export omp_get_", " ".join(topics(process)["problem"]))
        self.assertIn("will not be bound", topics(process)["verdict"][0])
        strict = nestbind("run", "--strict", "2,scatter", "--", program)
        self.assertStatus(strict, 78)
        self.assertIn("does not export omp_get_", strict.stderr)

    def test_opari_with_a_library_that_needs_the_shared_runtime(self):
        """If a library of the program uses the runtime, the program exports libgomp's functions."""
        library = os.path.join(self.folder, "libneeding.so")
        code = self.file("needing_library.c", "int omp_get_thread_num(void);\n"
                         "int pomp_parallel_begin(void *r) { return omp_get_thread_num() + (r != 0); }")
        subprocess.run(["gcc", "-shared", "-fPIC", code, "-fopenmp", "-o", library], check=True)
        calls = ("omp_get_max_threads() + omp_get_level() + omp_get_team_size(0) + omp_get_ancestor_thread_num(0) + "
                 "omp_get_max_active_levels()")
        source = ("#include <omp.h>\nvoid pomp_parallel_begin(void *);\nint main(void) {\n#pragma omp parallel\n"
                  f"pomp_parallel_begin(0); omp_set_num_threads(2); return {calls}; }}")
        objects = self.compile("needing.o", "-c", "-fopenmp", source=source)
        program = os.path.join(self.folder, "needing")
        subprocess.run(["gcc", objects, library, "-l:libgomp.a", "-ldl", "-lpthread", "-o", program], check=True)
        process = doctor(program)
        self.assert_bound(process, "POMP")
        self.assertIn("cannot run on LLVM's runtime: the program contains GCC's", topics(process)["llvm"][0])

    def test_opari2(self):
        for symbol in ("POMP2_Parallel_begin", "pomp2_parallel_begin_"):
            self.assert_bound(doctor(self.instrumented(symbol, symbol)), "POMP2")

    def test_runtime_hook_wins_over_opari(self):
        code = INSTRUMENTED.format("pomp_parallel_begin").replace(
            "int main(void) {", "int main(void) {\n#pragma omp parallel\n")
        self.instrumented("both", "pomp_parallel_begin")
        program = self.compile("both_forking", "-fopenmp", os.path.join(self.folder, "libboth.so"), source=code)
        self.assert_bound(doctor(program), "GOMP, POMP (stands back)")

    def test_static_pomp2(self):
        code = "void POMP2_Parallel_begin(void *r) { (void)r; }\n" + INSTRUMENTED.format("POMP2_Parallel_begin")
        process = doctor(self.compile("static_pomp2", source=code.replace("void POMP2_Parallel_begin(void *); ", "")))
        self.assertStatus(process, 1)
        self.assertIn("OPARI2", topics(process)["note"][0])


class Files(Doctor):
    def test_static(self):
        self.assert_not_bound(doctor(self.compile("static", "-fopenmp", "-static")), "statically")
        self.assert_not_bound(doctor(self.compile("static_pie", "-static-pie", source="int main(void){return 0;}")),
                              "statically")

    def test_library(self):
        self.assert_not_bound(doctor(os.environ["NESTBIND_TEST_LIBRARY"]), "a shared library, not a program")

    def test_set_user_id(self):
        program = self.compile("set_user_id", "-fopenmp")
        os.chmod(program, 0o4755)
        self.assert_not_bound(doctor(program), "set-user-ID")

    def test_capabilities(self):
        program = self.compile("capable", "-fopenmp")
        # A capability in revision 2 of the format: cap_net_bind_service, permitted and effective.
        value = struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0)
        try:
            os.setxattr(program, "security.capability", value)
        except OSError as error:
            self.skipTest(f"file capabilities cannot be set here: {error}")
        self.assert_not_bound(doctor(program), "capabilities")

    def test_scripts(self):
        program = self.compile("interpreter", "-fopenmp")
        script = self.file("script", f"#!{program} -x\n", 0o755)
        process = doctor(script)
        self.assert_bound(process, "GOMP")
        self.assertIn("interpreter " + program, topics(process)["script"][0])
        self.file("env_script", "#!/usr/bin/env -S interpreter -x\n", 0o755)
        path = self.folder + ":" + os.environ["PATH"]
        self.assert_bound(doctor("env_script", env={"PATH": path}), "GOMP")
        process = doctor(self.file("shell", "#!/bin/sh\n", 0o755))
        self.assertStatus(process, 0)
        self.assertIn("inherit", topics(process)["note"][0])
        self.assert_not_bound(doctor(self.file("broken", "#!/no/such/interpreter\n", 0o755)), "is not there")
        self.assert_not_bound(doctor(self.file("crlf", "#!/bin/sh\r\n", 0o755)), "carriage return")
        self.assert_not_bound(doctor(self.file("env_crlf", "#!/usr/bin/env sh\r\n", 0o755)), "carriage return")
        endless = os.path.join(self.folder, "endless")
        self.assert_not_bound(doctor(self.file("endless", f"#!{endless}\n", 0o755)), "scripts start each other")

    def test_doctor_and_run_agree_which_files_start(self):
        """If a file has no "#!" line, nestbind run lets the shell read the file, as every shell does."""
        for name, text, mode, status in (("no_line", "exit 7\n", 0o755, 7), ("empty", "", 0o755, 0),
                                         ("blank_line", "#!\nexit 7\n", 0o755, 7), ("not_executable", "exit 7\n", 0o644, 126),
                                         ("not_executable_either", "#!/bin/sh\n", 0o644, 126),
                                         ("of_another_system", "#!/bin/sh\r\n", 0o755, 127)):
            with self.subTest(name=name):
                script = self.file(name, text, mode)
                self.assertStatus(nestbind("run", "2,scatter", "--", script), status)
                self.assertStatus(doctor(script), 0 if status < 100 else 1)

    def test_files_that_are_not_programs(self):
        self.assertStatus(doctor("nestbind-no-such-program"), 1)
        self.assert_not_bound(doctor(self.file("magic", "\177ELF", 0o755)), "another architecture")
        self.assert_not_bound(doctor(self.file("text", "hello")), "the file is not executable")
        self.assert_not_bound(doctor(self.folder), "a directory, not a program")
        self.assert_not_bound(doctor("/dev/null"), "a device, pipe or socket, not a program")

    def test_other_architecture(self):
        with open(self.compile("native", "-fopenmp"), "rb") as file:
            data = bytearray(file.read())
        for name, offset, value in (("class", 4, 1), ("order", 5, 2), ("machine", 18, 0xF3)):
            data_there = bytearray(data)
            data_there[offset] = value
            path = os.path.join(self.folder, "foreign_" + name)
            with open(path, "wb") as file:
                file.write(data_there)
            self.assert_not_bound(doctor(path), "another architecture")

    def test_damaged(self):
        """Whatever bytes of a program are damaged, doctor must give one of its two verdicts."""
        with open(self.compile("whole", "-fopenmp"), "rb") as file:
            whole = file.read()
        path = os.path.join(self.folder, "damaged")
        generator = random.Random(1)
        for round_ in range(120):
            data = bytearray(whole[:generator.randrange(len(whole))] if round_ % 3 == 0 else whole)
            for _ in range(generator.randrange(1, 40)):
                end = generator.choice((64, 1024, len(data)))
                if data:
                    data[generator.randrange(min(end, len(data)))] = generator.choice((0, 0xFF, generator.randrange(256)))
            with open(path, "wb") as file:
                file.write(data)
            process = doctor(path)
            self.assertIn(process.returncode, (0, 1), f"round {round_}: {process.stderr}")


if __name__ == "__main__":
    unittest.main()
