# SPDX-License-Identifier: BSD-3-Clause
"""Tests programs without a symbol table."""
import os
import shutil
import subprocess
import unittest

from support import LIBRARY, TestCase, nestbind

STATIC_RUNTIME = ("-fopenmp", "-static-libgcc", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic")

# This program imports the same functions as libgomp.
SERIAL = r"""
#include <pthread.h>
#include <stdio.h>
static void *work(void *p) { return p; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  puts("%s");
  return 42;
}
"""


class Stripped(TestCase):
    def stripped(self, program, *options):
        path = program + "_stripped"
        subprocess.run(["strip", *options, program, "-o", path], check=True)
        symbols = subprocess.run(["nm", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(symbols.stdout, b"")
        return path

    def assert_contained(self, program):
        process = nestbind("doctor", program)
        self.assertStatus(process, 1)
        self.assertIn("the program contains GCC's OpenMP runtime (libgomp.a)", process.stdout)
        self.assertIn("will not be bound", process.stdout)
        process = nestbind("run", "2,scatter,2,scatter", "--", program)
        self.assertStatus(process, 42)
        self.assertIn("contains GCC's OpenMP runtime (libgomp.a)", process.stderr)
        self.assertStatus(nestbind("run", "--strict", "2,scatter", "--", program), 78)
        self.assertStatus(nestbind("run", "--runtime=llvm", "2,scatter", "--", program), 1)

    def test_static_runtime(self):
        for name, options in (("pie", []), ("no_pie", ["-no-pie"]), ("one_segment", ["-Wl,-z,noseparate-code"]),
                              ("gathered", ["-Wl,--gc-sections"]), ("lazy", ["-Wl,-z,lazy"])):
            with self.subTest(name):
                self.assert_contained(self.stripped(self.compile(name, *STATIC_RUNTIME, *options)))

    def test_without_sections(self):
        program = self.stripped(self.compile("sections", *STATIC_RUNTIME))
        with open(program, "r+b") as file:
            file.seek(0x28)  # e_shoff
            file.write(bytes(8))
            file.seek(0x3C)  # e_shnum, e_shstrndx
            file.write(bytes(4))
        self.assert_contained(program)

    def test_names_of_libgomp_alone_do_not_count(self):
        """If a program contains the name of libgomp's variable, but not libgomp, the verdict must not change."""
        for name, text in (("names_it", "GOMP_SPINCOUNT"), ("other", "x")):
            with self.subTest(name):
                program = self.stripped(self.compile(name, "-pthread", source=SERIAL % text))
                process = nestbind("run", "--strict", "2,scatter", "--", program)
                self.assertStatus(process, 42)
                self.assertNotIn("libgomp", process.stderr)
                self.assertNotIn("libgomp", nestbind("doctor", program).stdout)

    def test_shared_runtimes(self):
        program = self.stripped(self.compile("shared", "-fopenmp"))
        process = nestbind("doctor", program)
        self.assertStatus(process, 0)
        self.assertIn("binding will work", process.stdout)
        linked = self.stripped(self.compile("linked", "-Wl,--no-as-needed", LIBRARY, "-fopenmp",
                                            "-Wl,-rpath," + os.path.dirname(LIBRARY)))
        self.assertIn("binding will work", nestbind("doctor", linked).stdout)
        if shutil.which("clang-19") is not None:
            llvm = self.stripped(self.compile("llvm", "-fopenmp", compiler="clang-19"))
            self.assertIn("binding will work", nestbind("doctor", llvm).stdout)


if __name__ == "__main__":
    unittest.main()
