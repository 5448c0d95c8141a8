# SPDX-License-Identifier: BSD-3-Clause
"""nestbind and the loader must find the same libraries of a program.

The test starts the loaders of programs. So it uses only programs of this machine and programs that it has compiled."""
import os
import re
import shutil
import stat
import struct
import sys
import unittest

from libraries import ComparingTestCase, comparable, output_of, read, traced
from support import TestCase


def is_dynamic(path):
    """Whether the file is a program for this machine, has glibc's loader, and grants no privileges."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & (stat.S_ISUID | stat.S_ISGID):
            return False
        with open(path, "rb") as file:
            data = file.read(1 << 16)
    except OSError:
        return False
    with open("/proc/self/exe", "rb") as file:
        own = file.read(20)
    if data[:6] != own[:6] or data[18:20] != own[18:20] or len(data) < 64:
        return False
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        at = offset + i * size
        if at + 40 <= len(data) and struct.unpack_from("<I", data, at)[0] == 3:
            begin, = struct.unpack_from("<Q", data, at + 8)
            interpreter = data[begin:begin + 256].split(b"\0")[0]
            return b"/ld-linux" in interpreter or b"/ld64" in interpreter
    return False


class Machine(TestCase):
    def test_programs_of_the_machine(self):
        """Tests all programs in /usr/bin."""
        programs = sorted({os.path.realpath(os.path.join("/usr/bin", name)) for name in os.listdir("/usr/bin")})
        programs = [path for path in programs if is_dynamic(path) and os.access(path, os.X_OK)]
        self.assertGreater(len(programs), 50)
        found = read(*programs)
        differing = []
        for program in programs:
            expected, process = traced(program)
            if comparable(found[program][0]) != comparable(expected):
                differing.append(f"{program}\n  read {found[program]}\n  loader {process.stdout}")
        self.assertEqual(differing, [])
        print(f"{len(programs)} programs alike")


def tag(option):
    return f"-Wl,--{'enable' if option == 'runpath' else 'disable'}-new-dtags"


class MadeUp(ComparingTestCase):
    """There is a test for each rule of ld.so(8)."""

    def test_order_of_places(self):
        for folder in ("rpath", "variable", "runpath"):
            self.library(folder + "/libplace.so")
        link = ["-L" + self.path("rpath"), "-lplace"]
        rpath = self.program("by_rpath", *link, tag("rpath"), "-Wl,-rpath," + self.path("rpath"))
        runpath = self.program("by_runpath", *link, tag("runpath"), "-Wl,-rpath," + self.path("runpath"))
        variable = {"LD_LIBRARY_PATH": self.path("variable")}
        self.assert_alike(rpath, variable, expected={"libplace.so": "rpath/libplace.so"})
        self.assert_alike(runpath, variable, expected={"libplace.so": "variable/libplace.so"})
        self.assert_alike(runpath, expected={"libplace.so": "runpath/libplace.so"})
        self.assert_alike(self.program("plain", *link), expected={"libplace.so": "not found"})

    def test_inherited(self):
        """The loader finds libinner.so by the program's DT_RPATH, but only if libmiddle has no DT_RUNPATH."""
        inner = self.library("own/libinner.so")
        for kind in ("rpath", "runpath", "none"):
            options = [] if kind == "none" else [tag(kind), "-Wl,-rpath,/nosuch"]
            self.library(f"middle/libmiddle_{kind}.so", inner, *options)
        for kind in ("rpath", "runpath"):
            for middle in ("rpath", "runpath", "none"):
                with self.subTest(kind=kind, middle=middle):
                    self.assert_alike(self.program(
                        f"program_{kind}_{middle}", self.path(f"middle/libmiddle_{middle}.so"), tag(kind),
                        f"-Wl,-rpath,{self.path('middle')}:{self.path('own')}"))

    def test_chain_of_needed_libraries(self):
        """Two libraries need libdeep.so. The DT_RPATH of one library must not be used for the other library."""
        deep = self.library("a/libdeep.so")
        self.library("b/libdeep.so")
        self.library("libfirst.so", tag("rpath"), "-Wl,-rpath," + self.path("a"), deep)
        self.library("libsecond.so", tag("rpath"), "-Wl,-rpath," + self.path("b"), deep)
        self.library("libchain.so", self.path("libsecond.so"))
        program = self.program("program", self.path("libchain.so"), self.path("libfirst.so"),
                               tag("runpath"), "-Wl,-rpath," + self.root)
        self.assert_alike(program, {"LD_LIBRARY_PATH": self.root})

    def test_tokens(self):
        platform = os.uname().machine
        lib = {"x86_64": ("lib64", "lib/x86_64-linux-gnu", "lib"), "aarch64": ("lib64", "lib/aarch64-linux-gnu", "lib")}
        for folder in ("here", "$LIBS", *lib.get(platform, ("lib64",)), platform):
            self.library(folder + "/libtoken.so")
        for i, path in enumerate(("$ORIGIN/here", "${ORIGIN}/here", "$ORIGIN/../tokens/bin/here", "$ORIGIN/$LIB",
                                  "$ORIGIN/$LIBS", "$ORIGIN/${LIB", "$ORIGINAL:$ORIGIN/here",
                                  "$ORIGIN/$HOME:$ORIGIN/here", "$$ORIGIN:$ORIGIN//here//")):
            with self.subTest(path=path):
                program = self.program(f"program{i}", self.path("here/libtoken.so"), tag("runpath"), "-Wl,-rpath," + path)
                self.assert_alike(program)
        library_path = {"LD_LIBRARY_PATH": "/nosuch;$ORIGIN/here:${ORIGIN}/$LIB"}
        self.assert_alike(self.program("by_variable", self.path("here/libtoken.so")), library_path,
                          expected={"libtoken.so": "here/libtoken.so"})

    def test_origin_of_a_linked_program(self):
        self.library("real/libbeside.so")
        program = self.program("real/program", self.path("real/libbeside.so"), "-Wl,-rpath,$ORIGIN")
        link = self.path("elsewhere/link")
        os.symlink(program, link)
        self.assert_alike(link, expected={"libbeside.so": "real/libbeside.so"})

    def test_folders_of_a_list(self):
        self.library("here/libfolder.so")
        program = self.program("program", self.path("here/libfolder.so"))
        here = self.path("here")
        for value in (here + "/", here + "//", ":" + here, "/nosuch::" + here, here + ":", ";" + here, "here", "./here",
                      "/nosuch", "/dev/null:" + here, ":"):
            for folder in (self.root, here):
                with self.subTest(value=value, folder=folder):
                    self.assert_alike(program, {"LD_LIBRARY_PATH": value}, cwd=folder)

    def test_hardware(self):
        """Tests the subfolders of glibc-hwcaps that the loader's --help lists, and a subfolder that the loader does not know."""
        subfolders = ["glibc-hwcaps/x86-64-v2", "glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v4", "glibc-hwcaps/other",
                      "glibc-hwcaps/power9", "glibc-hwcaps/power10"]
        self.library("folder/libhard.so")
        program = self.program("program", self.path("folder/libhard.so"), "-Wl,-rpath," + self.path("folder"))
        for subfolder in subfolders:
            shutil.copy(self.path("folder/libhard.so"), self.path("folder", subfolder, "libhard.so"))
            with self.subTest(added=subfolder):
                self.assert_alike(program)
        os.remove(self.path("folder/libhard.so"))
        self.assert_alike(program)

    def test_names(self):
        library = self.library("libslash.so", soname="libother.so")
        unnamed = self.gcc(self.path("libunnamed.so"), "", "-shared", "-nostdlib")
        os.symlink("libslash.so", self.path("liblink.so"))
        program = self.program("program", unnamed, library, "-Wl,-rpath," + self.root)
        self.assert_alike(program)
        os.symlink("libslash.so", self.path("libother.so"))
        for preload in ("liblink.so", self.path("libslash.so") + ":liblink.so", "libother.so"):
            with self.subTest(preload=preload):
                self.assert_alike(program, {"LD_PRELOAD": preload, "LD_LIBRARY_PATH": self.root})
        asks = self.library("libasks.so", "-L" + self.root, "-l:liblink.so", "-l:libother.so")
        self.assert_alike(self.program("asks", asks, library, "-Wl,-rpath," + self.root),
                          {"LD_LIBRARY_PATH": self.root})

    def test_relative_name(self):
        self.gcc(self.path("librelative.so"), "", "-shared", "-nostdlib")
        process = output_of("gcc", "-x", "c", "-", "-x", "none", "-o", self.path("program"), "-Wl,--no-as-needed",
                            "./librelative.so", input="int main(void) { return 0; }", cwd=self.root)
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assert_alike(self.path("program"), cwd=self.root, expected={"./librelative.so": "./librelative.so"})
        self.assert_alike(self.path("program"), cwd="/")

    def test_circle_and_diamond(self):
        self.library("libleft.so")
        self.library("libright.so", self.path("libleft.so"))
        self.library("libleft.so", self.path("libright.so"))
        self.library("libtop.so", self.path("libright.so"), self.path("libleft.so"))
        self.assert_alike(self.program("program", self.path("libtop.so"), self.path("libleft.so"),
                                       "-Wl,-rpath," + self.root), {"LD_LIBRARY_PATH": self.root})

    def test_preloads(self):
        for name in ("first", "second", "needed"):
            self.library(f"lib{name}.so")
        self.library("libfirst.so", self.path("libneeded.so"))
        program = self.program("program", self.path("libneeded.so"), "-Wl,-rpath," + self.root)
        first, second = self.path("libfirst.so"), self.path("libsecond.so")
        for preload in (first, f"{first}:{second}", f"{second} {first}", f" :{first}::{first} ", "libsecond.so", "libneeded.so",
                        "/nosuch.so:" + first, "libnosuch.so " + first, self.file("text.so", "x" * 100) + " " + first):
            with self.subTest(preload=preload):
                self.assert_alike(program, {"LD_PRELOAD": preload})
        self.assert_alike(program, {"LD_PRELOAD": "libfirst.so", "LD_LIBRARY_PATH": self.root})

    def changed(self, source, target, offset, data):
        shutil.copy(source, target)
        with open(target, "r+b") as file:
            file.seek(offset)
            file.write(data)

    def test_other_architectures_are_passed_over(self):
        library = self.library("good/libforeign.so")
        program = self.program("program", library)
        for name, offset, data in (("class", 4, b"\1"), ("machine", 18, b"\x16\0")):
            self.changed(library, self.path(name, "libforeign.so"), offset, data)
            with self.subTest(name=name):
                self.assert_alike(program, {"LD_LIBRARY_PATH": self.path(name) + ":" + self.path("good")},
                                  expected={"libforeign.so": "good/libforeign.so"})
                self.assert_alike(program, {"LD_LIBRARY_PATH": self.path(name)},
                                  expected={"libforeign.so": "not found"})

    def test_unreadable_places(self):
        self.library("good/libplace.so")
        program = self.program("program", self.path("good/libplace.so"))
        os.symlink("nosuch", self.path("dangling/libplace.so"))
        for bad in ("nosuch", "dangling", "good/libplace.so"):
            with self.subTest(bad=bad):
                self.assert_alike(program, {"LD_LIBRARY_PATH": self.path(bad) + ":" + self.path("good")})

    def test_bad_library_stops_loader_and_listing(self):
        library = self.library("good/libtext.so")
        program = self.program("program", library)
        self.file(self.path("bad/libtext.so"), "INPUT(good/libtext.so)" * 10)
        env = {"LD_LIBRARY_PATH": self.path("bad") + ":" + self.path("good")}
        _, process = traced(program, env)
        _, others = read(program, env=env)[program]
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(len(others), 1)
        fault = re.match("fault .*/libtext.so: (.*)$", others[0])[1]
        self.assertIn(fault, process.stdout)

    def test_another_loader(self):
        """nestbind asks no other loader, but finds libraries in the program's own paths."""
        self.library("here/libplace.so")
        with open("/proc/self/exe", "rb") as file:
            interpreter = re.search(rb"/[!-~]*/ld-linux[!-~]*", file.read())[0].decode()
        loader = self.path("loader", os.path.basename(interpreter))
        shutil.copy(interpreter, loader)
        shutil.copy(next(path for _, path in traced(sys.executable)[0] if "/libc.so" in path), self.path("loader"))
        program = self.program("program", self.path("here/libplace.so"), "-Wl,-rpath," + self.path("here"),
                               "-Wl,--dynamic-linker=" + loader)
        found, others = read(program)[program]
        self.assertEqual(found, [("libplace.so", self.path("here/libplace.so")), ("libc.so.6", self.path("loader/libc.so.6")),
                                 (loader, loader)])
        self.assertEqual(others, [])
        program = self.program("lost", self.path("here/libplace.so"), "-Wl,--dynamic-linker=" + loader)
        _, others = read(program)[program]
        self.assertEqual(len(others), 1)
        self.assertIn("libplace.so", others[0])
        self.assertIn(loader, others[0])


if __name__ == "__main__":
    unittest.main()
