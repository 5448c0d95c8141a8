# SPDX-License-Identifier: BSD-3-Clause
"""Tests nestbind doctor on hostile files."""
import os
import re
import resource
import shutil
import struct
import subprocess
import unittest

from support import COMMAND, TestCase, environment, nestbind

DT_NULL, DT_NEEDED, DT_STRTAB = 0, 1, 5

# doctor must never print control characters, DEL, or characters that reorder text.
UNSHOWN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

LINES = b"\x1b[2J\nverdict  binding will work\r\x9b31m\xff\xe2\x80\xae"


def interpreter():
    with open("/proc/self/exe", "rb") as file:
        return re.search(rb"/[!-~]*/ld-linux[!-~]*", file.read())[0]


def elf(entries, strings, loader=None, type_=3):
    """Makes a program or library without code."""
    with open("/proc/self/exe", "rb") as file:
        machine = file.read(20)[18:20]
    segments = 2 + (loader is not None)
    dynamic = 64 + 56 * segments
    table = dynamic + 16 * (len(entries) + 2)
    data = b"".join(struct.pack("<QQ", *entry) for entry in entries)
    data += struct.pack("<QQQQ", DT_STRTAB, table, DT_NULL, 0) + strings
    name = table + len(strings)
    size = name + len(loader or b"") + 1
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<H", type_) + machine + struct.pack(
        "<IQQQIHHHHHH", 1, 0, 64, 0, 0, 64, 56, segments, 64, 0, 0)
    programs = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, size, size, 4096)
    programs += struct.pack("<IIQQQQQQ", 2, 6, dynamic, dynamic, dynamic, 16 * (len(entries) + 2), 16 * (len(entries) + 2), 8)
    if loader is not None:
        programs += struct.pack("<IIQQQQQQ", 3, 4, name, name, name, len(loader) + 1, len(loader) + 1, 1)
    return header + programs + data + (loader or b"") + b"\0"


def texts(*pairs):
    """Makes the entries and the string table from pairs of a tag and a text."""
    strings = b"\0"
    entries = []
    for tag, text in pairs:
        entries.append((tag, len(strings)))
        strings += text + b"\0"
    return entries, strings


class Hostile(TestCase):
    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o755)
        return path

    def program(self, name, *pairs):
        return self.write(name, elf(*texts(*pairs), loader=interpreter()))


class RunsNothing(Hostile):
    def test_only_the_loader_of_the_system_is_started(self):
        """The loader must not run code of the program."""
        if shutil.which("strace") is None:
            self.skipTest("there is no strace")
        trace, mark = (os.path.join(self.folder, name) for name in ("trace", "ran"))
        source = f"#include <stdio.h>\n__attribute__((constructor)) static void start(void) {{ fopen(\"{mark}\", \"w\"); }}\nint main(void) {{ return 0; }}"
        library = self.compile("libmarks.so", "-shared", "-fPIC", source=source)
        for program in (self.compile("gnu", "-fopenmp", "-Wl,--no-as-needed", library), self.program("made", (DT_NEEDED, b"libc.so.6"))):
            nestbind("-f", "-o", trace, "-e", "trace=process", COMMAND, "doctor", program, command="strace")
            with open(trace, encoding="utf-8") as file:
                started = re.findall(r"execve(?:at)?\((.*)", file.read())[1:]
            self.assertGreater(len(started), 0)
            self.assertEqual([line for line in started if not line.startswith(f'"{os.fsdecode(interpreter())}", ')], [])
            self.assertFalse(os.path.exists(mark))

    def test_own_loader_is_not_started(self):
        mark = os.path.join(self.folder, "mark")
        script = self.file("loader", f"#!/bin/sh\n: >{mark}\n", 0o755)
        for name in (script, shutil.which("touch")):
            self.write("own", elf(*texts((DT_NEEDED, b"libc.so.6")), loader=os.fsencode(name)))
            nestbind("doctor", os.path.join(self.folder, "own"))
            self.assertFalse(os.path.exists(mark))


class Ends(Hostile):
    def examined(self, path, status=1):
        """Returns doctor's output."""
        process = subprocess.Popen([COMMAND, "doctor", path], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL)
        output = process.stdout.read().decode("utf-8", "replace")
        process.stdout.close()
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        self.assertEqual(process.returncode, status, output[:2000])
        self.assertLess(usage.ru_maxrss, 256 << 10)
        self.assertLess(usage.ru_utime + usage.ru_stime, 20)
        return output

    def test_needed_without_end(self):
        for data in (elf([(DT_NEEDED, 1)] * (1 << 20), b"\0" + b"x" * 60000 + b"\0", loader=interpreter()),
                     elf([(DT_NEEDED, i % 4000) for i in range(4000)], b"\0" + b"lib" * 2000 + b"\0", loader=interpreter())):
            self.examined(self.write("needed", data))

    def test_huge_files_with_holes(self):
        for name, size in (("huge", 1 << 34), ("larger", 1 << 36)):
            path = self.program(name, (DT_NEEDED, b"libc.so.6"))
            try:
                os.truncate(path, size)
            except OSError as error:
                self.skipTest(f"{error}")
            self.examined(path)
            os.remove(path)

    def test_special_files(self):
        pipe = os.path.join(self.folder, "libpipe.so")
        os.mkfifo(pipe)
        for path in (pipe, "/dev/zero", "/dev/tty"):
            self.assertIn("Not a regular file", self.examined(path))
        self.write("own_loader", elf(*texts((DT_NEEDED, b"libc.so.6")), loader=os.fsencode(pipe)))
        self.assertIn("its loader", self.examined(os.path.join(self.folder, "own_loader")))
        self.examined(self.file("piped", f"#!{pipe}\n", 0o755))


class Shown(Hostile):
    def shown(self, *arguments, **env):
        """Returns the output, which must be printable text with one topic in each line."""
        variables = {os.fsencode(name): os.fsencode(value) for name, value in environment().items()}
        variables.update({os.fsencode(name): value for name, value in env.items()})
        raw = subprocess.run([COMMAND, *map(os.fsencode, arguments)], env=variables, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60, check=False)
        output = (raw.stdout + raw.stderr).decode("utf-8")
        self.assertIsNone(UNSHOWN.search(output), repr(output))
        verdicts = len(re.findall(rb"^verdict ", raw.stdout, re.M))
        self.assertEqual(verdicts, 1 if arguments[0] == "doctor" and raw.stdout else 0)
        return output

    def test_texts_of_files(self):
        self.write("own", elf(*texts((DT_NEEDED, b"libc.so.6")), loader=b"/x" + LINES))
        self.assertIn("\\x1b[2J", self.shown("doctor", os.path.join(self.folder, "own")))
        with open(os.path.join(self.folder, "script"), "wb") as file:
            file.write(b"#!/x\x1b[2J\xff\n")
        self.assertIn("\\x1b[2J\\xff", self.shown("doctor", os.path.join(self.folder, "script")))

    def test_names_of_files(self):
        path = os.path.join(os.fsencode(self.folder), b"named" + LINES)
        shutil.copy(os.fsencode(self.compile("gnu", "-fopenmp")), path)
        self.assertIn("\\x1b[2J", self.shown("doctor", path))
        self.assertIn("\\x1b[2J", self.shown("doctor", b"nosuch" + LINES))
        self.assertIn("\\x1b[2J", self.shown("run", "2,scatter", "--", b"nosuch" + LINES))
        self.assertIn("\\x1b[2J", self.shown("run", b"--library=/x" + LINES, "2,scatter", "--", "true"))
        self.assertIn("\\x1b[2J", self.shown("run", b"--runtime=llvm:/x" + LINES, "2,scatter", "--", "true"))
        self.assertIn("\\x1b[2J", self.shown("doctor", path, b"--library=/x" + LINES))

    def test_variables(self):
        program = self.compile("gnu", "-fopenmp")
        for name in ("OMP_PROC_BIND", "KMP_AFFINITY", "OMP_NUM_THREADS", "NESTBIND_SMT", "NESTBIND_REPORT", "NESTBIND_X",
                     "OMP_TOOL_LIBRARIES", "NESTBIND_MACHINE", "NESTBIND_QUIET"):
            self.assertIn("\\x1b[2J", self.shown("doctor", program, **{name: LINES}))
        self.shown("doctor", program, **{"NESTBIND_\x1b[2J\n": b"1"})
        self.shown("doctor", program, OMP_NESTING_TEAM_SIZE=LINES)
        self.assertIn("\\x1b[2J", self.shown("run", "2,scatter", "--", "true", NESTBIND_SMT=LINES))
        self.assertIn("?[2J", self.shown("run", "2,scatter", "--", "true", NESTBIND_MACHINE=LINES))
        self.shown("plan", "2,scatter", NESTBIND_SMT=LINES)

    def test_arguments(self):
        for arguments in ((b"--no" + LINES,), (LINES,), ("plan", LINES), ("plan", "2,scatter", b"--cpus=" + LINES),
                          ("plan", "2,scatter", b"--topology=" + LINES), ("plan", "2,scatter", b"--format=" + LINES),
                          ("plan", "2,scatter", b"--no" + LINES), ("run", LINES, "--", "true"), ("trace", LINES),
                          ("run", b"--runtime=" + LINES, "2,scatter", "--", "true"), ("run", b"--no" + LINES),
                          ("run", "2,scatter", LINES, "--", "true"), ("doctor", "a", LINES)):
            with self.subTest(arguments=arguments):
                self.shown(*arguments)

    def test_traces(self):
        path = self.write("trace", b"1.0 2 0 3 0 0 2,scatter\x1b[2J\xff\n1\x1b[2J 2 3 3 0 0 /lib\x9b\n" + LINES + b"\n")
        self.assertIn("\\x1b[2J\\xff", self.shown("trace", path))
        self.assertIn("line 3 is not", self.shown("trace", self.write("long", b"1.0 2 0 3 0 0 a\n1.0 2 0 3 0 0 " + b"x" * 1000000 + b"\nno\n")))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main()
