# SPDX-License-Identifier: BSD-3-Clause
"""Which libraries a program loads: what is read of its files, against what its own loader does.

The programs are the machine's own and ones that are compiled here, so that their loader may be started."""
import os
import re
import shutil
import stat
import struct
import subprocess
import unittest

from support import TestCase, environment

LISTING = os.environ["NESTBIND_TEST_LISTING"]
NOTHING = {"LD_LIBRARY_PATH": "", "LD_PRELOAD": ""}


def output_of(*command, **keywords):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="surrogateescape", check=False, timeout=300, **keywords)


def libraries_in(lines):
    """Name and file of each library; without the kernel's own, which has no file."""
    found = []
    for line in lines:
        match = re.match(r"\t(.*?) => (.*?)(?: \(0x[0-9a-f]+\))?$", line) or re.match(r"\t((.*)) \(0x[0-9a-f]+\)$", line)
        if match and not match[1].startswith("linux-vdso"):
            found.append((match[1], match[2]))
    return found


def read(*programs, options=(), env=None, cwd=None):
    """What is read of each program: its libraries, and the other lines."""
    variables = (f"{name}={value}" for name, value in (NOTHING | (env or {})).items())
    process = output_of(LISTING, *options, *variables, *programs, env=environment(**NOTHING), cwd=cwd)
    assert process.returncode == 0, process.stdout
    found = {}
    for line in process.stdout.splitlines():
        if line in programs:
            lines = found[line] = []
        else:
            lines.append(line)
    return {program: (libraries_in(lines), [line for line in lines if not line.startswith("\t")])
            for program, lines in found.items()}


def traced(program, env=None, cwd=None, variables=()):
    """What the loader of a program says, which the kernel starts for it."""
    asked = {name: "1" for name in ("LD_TRACE_LOADED_OBJECTS", *variables)}
    process = output_of(program, env=environment(**(NOTHING | (env or {}) | asked)), cwd=cwd)
    lines = process.stdout.splitlines()
    return libraries_in(lines), process


def comparable(libraries):
    """Those that are there in order, and those that are not: where one is missing, the program does not start, and
    only the loader's trace goes on, which sets it anywhere, and again for each who needs it."""
    there = [library for library in libraries if library[1] != "not found"]
    return there, sorted(set(libraries) - set(there))


def is_dynamic(path):
    """Whether a file is a program of this machine's with a loader of glibc's, and gives nobody privileges."""
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
        """All in /usr/bin."""
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


class ComparingTestCase(TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.root = os.path.join(self.folder, self.id().rsplit(".", 1)[1])
        os.mkdir(self.root)

    def path(self, *parts):
        path = os.path.join(self.root, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def gcc(self, path, source, *options):
        process = output_of("gcc", "-x", "c", "-", "-x", "none", "-o", path, "-Wl,--no-as-needed",
                            "-Wl,--allow-shlib-undefined", *options, input=source)
        self.assertEqual(process.returncode, 0, process.stdout)
        return path

    def library(self, path, *options, soname=None):
        name = soname or os.path.basename(path)
        return self.gcc(self.path(path), "", "-shared", "-nostdlib", "-Wl,-soname," + name, *options)

    def program(self, path, *options):
        return self.gcc(self.path(path), "int main(void) { return 0; }", *options)

    def assert_alike(self, program, env=None, cwd=None, expected=None):
        """expected: a library and the file of it, below the test's folder."""
        found, others = read(program, env=env, cwd=cwd)[program]
        loader, process = traced(program if cwd is None else os.path.join(cwd, program), env=env, cwd=cwd)
        self.assertEqual(comparable(found), comparable(loader), process.stdout)
        self.assertEqual(others, [])
        for name, file in (expected or {}).items():
            files = [path for library, path in found if library == name]
            self.assertEqual(files, [file if file.startswith(("/", "./", "not ")) else os.path.join(self.root, file)])


class MadeUp(ComparingTestCase):
    """A test for each rule."""

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
        """DT_RPATH serves those below, too, but for those with a DT_RUNPATH."""
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

    def test_chain_of_needers(self):
        """The DT_RPATH of a library's own needer counts, not that of another."""
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
        for folder in ("here", "$LIBS", *lib.get(platform, ("lib64",)), platform, "haswell", "xeon_phi"):
            self.library(folder + "/libtoken.so")
        for i, path in enumerate(("$ORIGIN/here", "${ORIGIN}/here", "$ORIGIN/../tokens/bin/here", "$ORIGIN/$LIB",
                                  "${ORIGIN}/${PLATFORM}", "$ORIGIN/$LIBS", "$ORIGIN/${LIB", "$ORIGINAL:$ORIGIN/here",
                                  "$ORIGIN/$HOME:$ORIGIN/here", "$$ORIGIN:$ORIGIN//here//")):
            with self.subTest(path=path):
                program = self.program(f"program{i}", self.path("here/libtoken.so"), tag("runpath"), "-Wl,-rpath," + path)
                self.assert_alike(program)
        library_path = {"LD_LIBRARY_PATH": "/nosuch;$ORIGIN/here:${ORIGIN}/$LIB"}
        self.assert_alike(self.program("by_variable", self.path("here/libtoken.so")), library_path,
                          expected={"libtoken.so": "here/libtoken.so"})

    def test_origin_behind_a_link(self):
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
        machine = os.uname().machine
        subfolders = ["glibc-hwcaps/x86-64-v2", "glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v4", "glibc-hwcaps/other",
                      "tls", machine, "tls/" + machine, "haswell", "tls/haswell", "haswell/" + machine, "avx512_1",
                      "x86_64/x86_64", "atomics", "glibc-hwcaps/power9", "glibc-hwcaps/power10"]
        self.library("folder/libhard.so")
        program = self.program("program", self.path("folder/libhard.so"), "-Wl,-rpath," + self.path("folder"))
        for subfolder in subfolders:
            copy = self.path("folder", subfolder, "libhard.so")
            shutil.copy(self.path("folder/libhard.so"), copy)
            with self.subTest(alone=subfolder):
                self.assert_alike(program)
            os.remove(copy)
        # From the least to the best, each beside the others.
        for subfolder in reversed(subfolders):
            shutil.copy(self.path("folder/libhard.so"), self.path("folder", subfolder, "libhard.so"))
            with self.subTest(added=subfolder):
                self.assert_alike(program)
        os.remove(self.path("folder/libhard.so"))
        self.assert_alike(program)

    def test_names(self):
        library = self.library("libslash.so", soname="libother.so")
        unnamed = self.gcc(self.path("libunnamed.so"), "", "-shared", "-nostdlib")
        os.symlink("libslash.so", self.path("liblink.so"))
        os.link(library, self.path("libhard.so"))
        program = self.program("program", unnamed, library, "-Wl,-rpath," + self.root)
        self.assert_alike(program)
        os.symlink("libslash.so", self.path("libother.so"))
        for preload in ("liblink.so", "liblink.so libhard.so", self.path("libhard.so") + ":liblink.so", "libother.so"):
            with self.subTest(preload=preload):
                self.assert_alike(program, {"LD_PRELOAD": preload, "LD_LIBRARY_PATH": self.root})
        # By name first, by the same file then.
        asks = self.library("libasks.so", "-L" + self.root, "-l:liblink.so", "-l:libhard.so", "-l:libother.so")
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
        self.assert_alike(program, {"LD_PRELOAD": "$ORIGIN/libfirst.so"})
        self.assert_alike(program, {"LD_PRELOAD": "libfirst.so", "LD_LIBRARY_PATH": self.root})

    def test_no_default_folders(self):
        program = self.program("program", "-Wl,-z,nodefaultlib")
        self.assert_alike(program, expected={"libc.so.6": "not found"})
        library = self.library("libclosed.so", "-Wl,-z,nodefaultlib", "-lm")
        self.assert_alike(self.program("open", library, "-Wl,-rpath," + self.root))

    def test_filters(self):
        self.library("libreal.so")
        self.library("libother.so")
        for name, option in (("filter", "-F"), ("auxiliary", "-f")):
            for target in ("libreal.so", "libnosuch.so"):
                with self.subTest(name=name, target=target):
                    library = self.library(f"lib{name}{target[3:6]}.so", f"-Wl,{option},{target}", self.path("libother.so"))
                    program = self.program(f"{name}_{target}", library, self.path("libother.so"), "-Wl,-rpath," + self.root)
                    if target == "libreal.so":
                        self.assert_alike(program, {"LD_LIBRARY_PATH": self.root})
                        continue
                    # The trace does not tell one that must be there from one that may be missing.
                    found, others = read(program, env={"LD_LIBRARY_PATH": self.root})[program]
                    self.assertEqual(others, ["fault libnosuch.so: is not found"] if name == "filter" else [])

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
        os.symlink("libplace.so", self.path("loop/libplace.so"))
        os.symlink("nosuch", self.path("dangling/libplace.so"))
        for bad in ("loop", "dangling", "good/libplace.so"):
            with self.subTest(bad=bad):
                self.assert_alike(program, {"LD_LIBRARY_PATH": self.path(bad) + ":" + self.path("good")})

    def test_damaged_libraries_stop_both(self):
        library = self.library("good/libdamaged.so")
        program = self.program("program", library)
        changes = {"short": None, "text": (0, b"text"), "order": (5, b"\2"), "version": (6, b"\2"), "abi": (7, b"\x09"),
                   "padding": (15, b"\1"), "relocatable": (16, b"\1\0"), "fixed": (16, b"\2\0"), "entry": (54, b"\x20\0")}
        for name, change in changes.items():
            damaged = self.path(name, "libdamaged.so")
            if change is None:
                with open(damaged, "wb") as file:
                    file.write(b"\x7fELF")
            else:
                self.changed(library, damaged, *change)
            with self.subTest(name=name):
                env = {"LD_LIBRARY_PATH": self.path(name) + ":" + self.path("good")}
                _, process = traced(program, env)
                _, others = read(program, env=env)[program]
                self.assertNotEqual(process.returncode, 0)
                self.assertEqual(len(others), 1)
                fault = re.match("fault .*/libdamaged.so: (.*)$", others[0])[1]
                self.assertIn(fault, process.stdout)

    def test_program_as_a_library(self):
        other = self.gcc(self.path("other"), "int main(void) { return 0; }", "-pie", "-fPIE")
        program = self.program("program", "-Wl,-rpath," + self.root)
        self.assert_alike(program, {"LD_PRELOAD": other})


class Cache(ComparingTestCase):
    """A loader of its own: a copy that looks for its cache elsewhere."""

    def setUp(self):
        super().setUp()
        self.cache = "/tmp/ld.so.cache"  # as long as the name that it stands for
        try:
            os.close(os.open(self.cache, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            self.skipTest(f"{self.cache} is somebody's")
        self.addCleanup(os.remove, self.cache)
        with open("/proc/self/exe", "rb") as file:
            interpreter = re.search(rb"/[!-~]*/ld-linux[!-~]*", file.read())[0].decode()
        with open(interpreter, "rb") as file:
            data = file.read()
        if b"\0/etc/ld.so.cache\0" not in data:
            self.skipTest("the loader has no such cache")
        self.loader = self.path("ld.so")
        with open(self.loader, "wb") as file:
            file.write(data.replace(b"\0/etc/ld.so.cache\0", b"\0/tmp/ld.so.cache\0"))
        os.chmod(self.loader, 0o755)

    def make_cache(self, *folders, format_="new"):
        configuration = self.file("ld.so.conf", "".join(folder + "\n" for folder in folders))
        process = output_of("/sbin/ldconfig", "-X", "-C", self.cache, "-c", format_, "-f", configuration)
        self.assertEqual(process.returncode, 0, process.stdout)

    def test_cache(self):
        machine = os.uname().machine
        library = self.library("folder/libcached.so.1")
        program = self.program("program", library, "-Wl,--dynamic-linker=" + self.loader)
        self.assert_alike(program, expected={"libcached.so.1": "not found"})
        for format_ in ("new", "compat"):
            self.make_cache(self.path("folder"), format_=format_)
            self.assert_alike(program, expected={"libcached.so.1": "folder/libcached.so.1"})
        for subfolder in ("tls", machine, "haswell", "glibc-hwcaps/x86-64-v2", "glibc-hwcaps/x86-64-v3",
                          "glibc-hwcaps/x86-64-v4", "glibc-hwcaps/aaa", "glibc-hwcaps/zzz"):
            shutil.copy(library, self.path("folder", subfolder, "libcached.so.1"))
            with self.subTest(subfolder=subfolder):
                self.make_cache(self.path("folder"))
                self.assert_alike(program)
        self.assert_alike(self.program("closed", library, "-Wl,--dynamic-linker=" + self.loader, "-Wl,-z,nodefaultlib"))

    def test_many_names(self):
        for i in range(60):
            self.library(f"folder/libmany{i % 7}.so.{i}")
        self.make_cache(self.path("folder"))
        libraries = [self.path(f"folder/libmany{i % 7}.so.{i}") for i in range(60)]
        self.assert_alike(self.program("program", *libraries, "-Wl,--dynamic-linker=" + self.loader))

    def test_damaged_cache(self):
        """Whatever the bytes are, both find the same, or the loader dies where we do not."""
        library = self.library("folder/libcached.so.1")
        program = self.program("program", library, "-Wl,--dynamic-linker=" + self.loader)
        self.make_cache(self.path("folder"))
        with open(self.cache, "rb") as file:
            whole = file.read()
        for cut in (0, 10, 47, 48, len(whole) // 2, len(whole) - 100):
            with self.subTest(cut=cut):
                with open(self.cache, "wb") as file:
                    file.write(whole[:cut])
                _, process = traced(program)
                found, _ = read(program)[program]
                if process.returncode == 0:
                    self.assertEqual(found, traced(program)[0])


class Missing(ComparingTestCase):
    """What of OpenMP a program lacks."""

    def lines(self, process):
        """As the loader tells them: symbol, version and who needs it."""
        found = []
        for line in process.stdout.splitlines():
            symbol = re.match(r"undefined symbol: ([^,\t]+)(?:, version (\S+))?\s+\((.*)\)", line)
            node = re.match(r".*: version `(.*)' not found \(required by (.*)\)", line)
            if symbol and symbol[1].startswith(("GOMP_", "omp_", "GOACC_", "acc_")):
                found.append(f"missing {symbol[1]} {symbol[2] or '-'} {symbol[3]}")
            elif node:
                found.append(f"missing - {node[1]} {node[2]}")
        return found

    def assert_alike_missing(self, program, env, some):
        _, process = traced(program, env=env, variables=("LD_WARN", "LD_BIND_NOW"))
        expected = self.lines(process)
        _, found = read(program, options=["--missing"], env=env)[program]
        self.assertEqual(sorted(set(found)), sorted(set(expected)), process.stdout)
        self.assertEqual(bool(found), some, found)

    def test_on_llvm(self):
        libomp = next((line.split("=> ")[1] for line in output_of("/sbin/ldconfig", "-p").stdout.splitlines()
                       if line.strip().startswith("libomp.so.5 ")), None)
        if libomp is None:
            self.skipTest("there is no libomp.so.5")
        os.symlink(libomp, self.path("llvm/libgomp.so.1"))
        sources = {
            "plain": ("int main(void) {\n#pragma omp parallel\n;}", False),
            "newer": ("#include <omp.h>\nint main(void) { return omp_alloc(8, omp_default_mem_alloc) == 0; }", True),
            "target": ("int main(int c, char **v) { (void)v;\n#pragma omp target map(tofrom : c)\nc = 0; return c; }", True),
            "acc": ("int acc_get_num_devices(int); int main(void) { return acc_get_num_devices(0); }", True),
            "weak": ("void GOMP_no(void) __attribute__((weak)); int main(void) { if (GOMP_no) GOMP_no();\n"
                     "#pragma omp parallel\n;}", False),
        }
        for name, (source, some) in sources.items():
            program = self.gcc(self.path(name), source, "-fopenmp")
            with self.subTest(name=name):
                self.assert_alike_missing(program, {"LD_LIBRARY_PATH": self.path("llvm")}, some)
                self.assert_alike_missing(program, {}, False)
        library = self.gcc(self.path("libneeds.so"), sources["newer"][0].replace("main", "work"), "-fopenmp", "-shared", "-fPIC")
        program = self.gcc(self.path("user"), "int work(void); int main(void) { return work(); }", library)
        self.assert_alike_missing(program, {"LD_LIBRARY_PATH": self.path("llvm")}, True)

    def test_nodes(self):
        nodes = self.file("nodes.map", "OLD_1 { omp_old; }; NEW_1 { omp_new; } OLD_1;")
        source = "int omp_old(void) { return 0; } int omp_new(void) { return 0; }"
        self.gcc(self.path("both/libnodes.so"), source, "-shared", "-fPIC", "-Wl,--version-script=" + nodes, "-Wl,-soname,libnodes.so")
        fewer = self.file("fewer.map", "OLD_1 { omp_old; };")
        self.gcc(self.path("fewer/libnodes.so"), source.split(" int omp_new")[0], "-shared", "-fPIC",
                 "-Wl,--version-script=" + fewer, "-Wl,-soname,libnodes.so")
        self.gcc(self.path("moved/libnodes.so"), source, "-shared", "-fPIC", "-Wl,-soname,libnodes.so",
                 "-Wl,--version-script=" + self.file("moved.map", "OLD_1 { omp_new; }; NEW_1 { omp_old; };"))
        self.gcc(self.path("none/libnodes.so"), source, "-shared", "-fPIC", "-Wl,-soname,libnodes.so")
        calls = "int omp_old(void); int omp_new(void); int main(void) { return omp_old() + omp_new(); }"
        program = self.gcc(self.path("program"), calls, self.path("both/libnodes.so"))
        unversioned = self.gcc(self.path("unversioned"), calls, self.path("none/libnodes.so"))
        for folder, some in (("both", False), ("fewer", True), ("moved", True), ("none", False)):
            with self.subTest(folder=folder):
                self.assert_alike_missing(program, {"LD_LIBRARY_PATH": self.path(folder)}, some)
                self.assert_alike_missing(unversioned, {"LD_LIBRARY_PATH": self.path(folder)}, folder == "fewer")


if __name__ == "__main__":
    unittest.main()
