# SPDX-License-Identifier: BSD-3-Clause
"""Tests which programs nestbind run --runtime=llvm refuses, and why."""
import os
import shutil
import unittest

from runtime_programs import EIGHT_BYTE_INTEGERS, NEWER_NODE, RuntimeTestCase, STARTED, TARGET, libgomp, output_of
from support import SESSION, nestbind


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
        self.assert_refused(program, "version node OMP_5.0.1", "needed by " + program)

    def test_version_node_alone(self):
        """LLVM's runtime has the function, but in another version."""
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
        self.assert_refused(program, "omp_set_num_threads_8_")

    def test_need_of_a_library(self):
        library = self.library("needs", NEWER_NODE.replace("main", "work"), "-fopenmp")
        program = self.compile("user", "-fopenmp", library, source=STARTED.replace(
            "return 42;", "int work(void); return work();"))
        self.assert_refused(program, "OMP_5.0.1", "needed by " + library)

    def test_rpath(self):
        old = "-Wl,--disable-new-dtags,-rpath," + os.path.dirname(libgomp())
        program = self.compile("rpath", "-fopenmp", old, source=STARTED)
        self.assert_refused(program, "the DT_RPATH of " + program, "libgomp.so.1")
        library = self.library("rpath", STARTED.replace("main", "work"), "-fopenmp", old)
        program = self.compile("rpath_user", library, source=STARTED.replace(
            "return 42;", "int work(void); return work();"))
        self.assert_refused(program, "the DT_RPATH of " + library)

    def test_static(self):
        self.assert_refused(self.compile("static", "-fopenmp", "-static", source=STARTED), "statically")
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
        """The program uses a renamed copy of libgomp, as Python wheels do."""
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

    def test_folder_with_access_for_others(self):
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

    def test_session_folder_writable_for_others(self):
        """If others can write to the session's folder, the command must use another folder."""
        session = os.path.join(self.folder, "session_open")
        temporary = os.path.join(self.folder, "private")
        os.mkdir(session)
        os.chmod(session, 0o777)
        os.mkdir(temporary, 0o700)
        process = self.run_on_llvm("2,scatter", "sh", "-c", "echo $LD_LIBRARY_PATH",
                                   env={"XDG_RUNTIME_DIR": session, "TMPDIR": temporary})
        self.assertTrue(process.stdout.startswith(temporary + "/"), process.stdout)

    def test_link_to_another_target(self):
        program = self.compile("link", "-fopenmp", source=STARTED)
        session = os.path.join(self.folder, "session_elsewhere")
        os.mkdir(session, 0o700)
        env = {"XDG_RUNTIME_DIR": session}
        found = self.run_on_llvm("2,scatter", "sh", "-c", "echo $LD_LIBRARY_PATH", env=env).stdout.strip()
        os.remove(found + "/libgomp.so.1")
        os.symlink(libgomp(), found + "/libgomp.so.1")
        self.assert_refused(program, "does not lead to", env=env)


if __name__ == "__main__":
    unittest.main()
