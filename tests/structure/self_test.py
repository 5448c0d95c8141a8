#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the checks with small sources, which are compiled with the libraries' options. Each source in FAULTS adds one fault, and the checks
must find it."""

import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import hooks
import includes
import interface
import objects
import readmes
import symbols
from rooms import House

COMPILERS = [c for c in ("g++", "clang++-19") if shutil.which(c)]
FLAGS = "-std=c++20 -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden -fno-threadsafe-statics -g0".split()

ROOMS = {"lib/low": [], "lib/high": ["lib/low/door.hpp", "lib/low/open.hpp"]}
CLEAN = {
    "lib/low/door.cpp": """
        namespace low { thread_local int t_depth = 0; int next(int); int knock() { return next(++t_depth); } }""",
    "lib/low/next.cpp": """
        namespace low { template <typename T> T twice(T x) { return x + x; } inline int g_inline = 1;
        int next(int x) { return twice(x) + g_inline; } }""",
    "lib/low/open.cpp": "namespace low { int opened() { return 1; } }",
    "lib/high/hook.cpp": """
        namespace low { int knock(); int opened(); inline int g_inline = 1; template <typename T> T twice(T x) { return x + x; } }
        extern "C" __attribute__((visibility("default"))) int nice(int) {
          return low::knock() + low::opened() + low::twice(low::g_inline); }""",
}
# The code of each fault is added to the files in CLEAN.
FAULTS = {
    "cycle of files": (
        {"lib/low/next.cpp": "namespace low { int knock(); int again() { return knock(); } }"},
        "cycle of 2 files: lib/low/door.cpp, lib/low/next.cpp\n"
        "    lib/low/door.cpp uses lib/low/next.cpp: low::next\n"
        "    lib/low/next.cpp uses lib/low/door.cpp: low::knock"),
    "cycle of folders": (
        {"lib/low/open.cpp": "namespace high { int other(); } int low_other() { return high::other(); }",
         "lib/high/other.cpp": "namespace high { int other() { return 1; } }"},
        "cycle of 2 folders: lib/high, lib/low\n"
        "    lib/high uses lib/low: low::knock, low::opened\n"
        "    lib/low uses lib/high: high::other"),
    "arrow against the table": (
        {"lib/low/open.cpp": "namespace high { int other(); } int low_other() { return high::other(); }",
         "lib/high/other.cpp": "namespace high { int other() { return 1; } }"},
        "lib/low may not use lib/high: lib/low/open.cpp uses lib/high/other.cpp: high::other"),
    "arrow past the door": (
        {"lib/high/hook.cpp": "namespace low { int next(int); } int past() { return low::next(1); }"},
        "lib/high may not use lib/low: lib/high/hook.cpp uses lib/low/next.cpp: low::next"),
    "folder without a row": (
        {"lib/new/file.cpp": "int one() { return 1; }"},
        "lib/new has no row in tests/structure/rooms.py"),
    "hook from another file": (
        {"lib/high/kind.cpp": 'extern "C" int nice(int); int kind() { return nice(1); }'},
        "hook called from inside: lib/high/kind.cpp uses nice of lib/high/hook.cpp"),
    "hook from its own file": (
        {"lib/high/hook.cpp": """
            volatile int g_id = 1;
            extern "C" __attribute__((visibility("default"), noinline)) int getpid() { return g_id; }
            extern "C" __attribute__((visibility("default"))) int getppid() { return getpid(); }"""},
        "hook called from inside: lib/high/hook.cpp uses getpid of lib/high/hook.cpp"),
    "weak use": (
        {"lib/low/next.cpp": "namespace low { __attribute__((weak)) int opened(); int may() { return opened ? opened() : 0; } }"},
        "weak cut: lib/low/next.cpp needs low::opened weakly, and it is ours"),
    "weak definition": (
        {"lib/low/next.cpp": "int replaced(); int uses() { return replaced(); }",
         "lib/high/stand_in.cpp": "__attribute__((weak)) int replaced() { return 1; }"},
        "weak cut: lib/low/next.cpp needs replaced, which lib/high/stand_in.cpp defines weakly"),
    "table of functions": (
        {"lib/low/table.cpp": """
            namespace low { int opened(); struct Row { const char* word; int (*function)(); };
            extern const Row kRows[]; constexpr Row kRows[] = {{"opened", opened}}; }"""},
        "table of functions: kRows in lib/low/table.cpp has opened"),
    "address handed on": (
        {"lib/low/start.cpp": """
            extern "C" int atexit(void (*)());
            namespace low { void at_end(); void start() { atexit(at_end); } }""",
         "lib/low/at_end.cpp": "namespace low { void at_end() {} }"},
        "function handed on: lib/low/start.cpp takes the address of low::at_end"),
    "function set at start": (
        {"lib/low/open.cpp": """
            static int (*f)(); namespace low { void when_open(int (*g)()) { f = g; } int call() { return f(); } }"""},
        "function set from outside: low::when_open in lib/low/open.cpp takes a pointer to a function"),
    "variable set from outside": (
        {"lib/low/open.cpp": "namespace low { int (*g_function)() = nullptr; int call() { return g_function(); } }",
         "lib/high/hook.cpp": """
            namespace low { extern int (*g_function)(); } static int mine() { return 1; }
            void start() { low::g_function = mine; }"""},
        "variable of two files: low::g_function of lib/low/open.cpp is used in lib/high/hook.cpp"),
    "name for the loader": (
        {"lib/low/open.cpp": """
            extern "C" void* dlsym(void*, const char*);
            void* found() { return dlsym(nullptr, "nestbind_hidden"); }""",
         "lib/high/hook.cpp": 'extern "C" __attribute__((visibility("default"))) int nestbind_hidden() { return 1; }'},
        'name of ours as a text: lib/low/open.cpp has "nestbind_hidden"'),
}


@functools.lru_cache(maxsize=None)
def compiled(compiler, level, name, text):
    with tempfile.TemporaryDirectory(prefix="nestbind-structure-") as folder:
        source, built = pathlib.Path(folder) / "source.cpp", pathlib.Path(folder) / "built.o"
        source.write_text(text)
        subprocess.run([compiler, *FLAGS, level, "-c", source, "-o", built], check=True)
        return objects.ObjectFile(name, built)


def faults_of(compiler, level, sources, house):
    files = [compiled(compiler, level, name, text) for name, text in sources.items()]
    return list(symbols.check(house, {("build", "lib.so"): files})[0])


def with_more(more):
    return {**CLEAN, **{name: CLEAN.get(name, "") + "\n" + text for name, text in more.items()}}


class Symbols(unittest.TestCase):
    def assertEach(self, assertion, expected, sources, house=House(ROOMS)):
        for compiler in COMPILERS:
            for level in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, level=level):
                    assertion(expected, faults_of(compiler, level, sources, house))

    def test_clean(self):
        self.assertEach(self.assertEqual, [], CLEAN)

    def test_faults(self):
        for title, (more, expected) in FAULTS.items():
            with self.subTest(title):
                self.assertEach(self.assertIn, expected, with_more(more))

    def test_let_through(self):
        house = House(ROOMS, hooks_from_inside={("lib/high/kind.cpp", "nice"): "for this test"})
        self.assertEach(self.assertEqual, [], with_more(FAULTS["hook from another file"][0]), house)

    def test_not_exported(self):
        files = [compiled(COMPILERS[0], "-O2", name, text) for name, text in CLEAN.items()]
        found = {names: list(symbols.check(House(ROOMS), {("build", "lib.so"): files}, True, {("build", "lib.so"): {names}})[0])
                 for names in ("nice", "other")}
        self.assertEqual(found, {"nice": [], "other": ["not exported: nice of lib/high/hook.cpp is not in the library's map"]})

    def test_not_needed(self):
        house = House(ROOMS, hooks_from_inside={("lib/high/kind.cpp", "nice"): "for this test"})
        self.assertEach(self.assertEqual, ["not needed in HOOKS_FROM_INSIDE: ('lib/high/kind.cpp', 'nice')"], CLEAN,
                        house)


class Includes(unittest.TestCase):
    def faults(self, name, text):
        with tempfile.TemporaryDirectory(prefix="nestbind-structure-") as folder:
            root = pathlib.Path(folder)
            for header in ("lib/low/door.hpp", "lib/low/inner.hpp", "lib/high/hook.hpp"):
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).write_text("")
            return list(includes.faults(root, House(ROOMS), name, text))

    def test_clean(self):
        self.assertEqual(self.faults("lib/high/a.cpp", '#include "low/door.hpp"\n#include "hook.hpp"\n'), [])

    def test_faults(self):
        self.assertEqual(self.faults("lib/high/a.cpp", '\n#include "low/inner.hpp"'),
                         ["lib/high/a.cpp:2: lib/high may not include lib/low/inner.hpp"])
        self.assertEqual(self.faults("lib/low/a.cpp", '#include "high/hook.hpp"'),
                         ["lib/low/a.cpp:1: lib/low may not include lib/high/hook.hpp"])
        self.assertEqual(self.faults("lib/new/a.cpp", ""),
                         ["lib/new/a.cpp: lib/new has no row in tests/structure/rooms.py"])


class Interface(unittest.TestCase):
    def test_faults(self):
        listed = ["nestbind_a 0.2.0", "omp_set_nesting_info 0.2.0"]
        self.assertEqual(list(interface.faults(listed, {"nestbind_a", "omp_set_nesting_info", "fork"})), [])
        self.assertEqual([fault.split(" ")[0] for fault in interface.faults(listed, {"nestbind_b", "omp_set_nesting_info"})],
                         ["nestbind_a", "nestbind_b"])


class Hooks(unittest.TestCase):
    MAP = "{ global: nestbind_*; GOMP_parallel; fork; nice; local: *; };"
    TABLE = f"{hooks.HEADING}\n\n| functions | why |\n| --- | --- |\n| `fork`, `nice` | for `this` test |\n\n## Next\n\n| `kill` | |\n"

    def faults(self, text, table):
        with tempfile.TemporaryDirectory(prefix="nestbind-structure-") as folder:
            root = pathlib.Path(folder)
            (root / "lib/any").mkdir(parents=True)
            (root / "lib/any/nestbind.map").write_text(text)
            (root / "lib/README.md").write_text(table)
            return list(hooks.faults(root))

    def test_clean(self):
        self.assertEqual(self.faults(self.MAP, self.TABLE), [])

    def test_faults(self):
        self.assertEqual(self.faults(self.MAP.replace("nice", "kill"), self.TABLE),
                         ["lib/README.md: kill of nestbind.map has no reason in its table",
                          "lib/README.md: nice of its table is not in nestbind.map"])
        self.assertEqual(self.faults(self.MAP, self.TABLE.replace("`nice`", "`nice`, `fork`")),
                         ["lib/README.md: fork is twice in its table"])
        many = [f"call{i}" for i in range(hooks.MOST + 1)]
        self.assertEqual(self.faults(self.MAP.replace("fork; nice;", "; ".join(many) + ";"),
                                     self.TABLE.replace("`fork`, `nice`", ", ".join(f"`{name}`" for name in many))),
                         ["nestbind.map: 59 functions of the C library, at most 58"])


class Readmes(unittest.TestCase):
    FILES = ["lib/low/door.hpp", "lib/low/inner/next.cpp", "lib/high/hook.cpp"]

    def test_clean(self):
        text = ("| file | what |\n| --- | --- |\n| `door`, `inner/` | not `hook` |\n\n| function | what |\n| `fork` | one |\n\n"
                "`next.cpp`, `high/hook.cpp`, `NAME.cpp`.\n")
        self.assertEqual(list(readmes.faults(self.FILES, "lib/low/README.md", text)), [])

    def test_faults(self):
        for text, word in (("See `hook.cpp`.", "hook.cpp"), ("See `low/hook.cpp`.", "low/hook.cpp"),
                           ("| folder | what |\n| --- | --- |\n| `inner/` | one |\n| `outer/` | none |\n", "outer")):
            self.assertEqual(list(readmes.faults(self.FILES, "lib/low/README.md", text)), [f"lib/low/README.md: there is no {word} here"])

    def test_links(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "guide.md").touch()
            text = "[guide](guide.md), [there](https://there/here.md), [gone](gone.md)"
            self.assertEqual(list(readmes.broken_links(root, "README.md", text)), ["README.md: there is no gone.md"])


if __name__ == "__main__":
    unittest.main()
