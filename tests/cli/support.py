# SPDX-License-Identifier: BSD-3-Clause
"""Starts the command under test, and compiles small programs for it."""
import atexit
import os
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

COMMAND = os.path.abspath(os.environ["NESTBIND_TEST_COMMAND"])
LIBRARY = os.path.realpath(os.environ["NESTBIND_TEST_LIBRARY"])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INCLUDE = os.path.join(ROOT, "include")
MACHINES = os.path.join(ROOT, "tests", "machines")

# The tests use this folder instead of the user's own folders.
SESSION = tempfile.mkdtemp(prefix="nestbind-session-")
atexit.register(shutil.rmtree, SESSION)

CONCERNS_BINDING = ("OMP_", "KMP_", "GOMP_", "NESTBIND_", "LD_PRELOAD",
                    "OMPI_", "PMIX_", "PMI_", "MPI_", "MV2_", "PALS_", "JSM_", "FLUX_", "SLURM_")

FORKING = r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
#pragma omp parallel
#pragma omp parallel
#pragma omp critical
  printf("%d.%d\n", omp_get_ancestor_thread_num(1), omp_get_thread_num());
  return 42;
}
"""


def machine(name):
    return os.path.join(MACHINES, name + ".xml")


def environment(**extra):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(CONCERNS_BINDING)}
    return {**kept, "XDG_RUNTIME_DIR": SESSION, **extra}


def nestbind(*arguments, env=None, cwd=None, command=COMMAND):
    """Runs the command, and returns the finished process with its output as text."""
    return subprocess.run([command, *arguments], env=environment(**(env or {})), cwd=cwd, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", stdin=subprocess.DEVNULL)


def open_terminal():
    """Both ends of a terminal."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"there is no terminal here: {error}") from None


def fork_in_terminal():
    """Does the same as pty.fork()."""
    for end in open_terminal():
        os.close(end)
    return pty.fork()


def in_namespace(*options, then="true"):
    """Returns the words of a command that starts a program in new namespaces. The command `then` runs there first."""
    words = ["unshare", *options, *(["--map-root-user"] if os.geteuid() != 0 else []), "sh", "-c", then + ' && exec "$@"', "sh"]
    tried = subprocess.run([*words, "true"], check=False, capture_output=True, encoding="utf-8")
    if tried.returncode != 0:
        raise unittest.SkipTest(tried.stderr.strip())
    return words


def with_mount(folder, options="mode=1777"):
    """Returns the words of a command that starts a program. For this program, `folder` is a new file system in memory."""
    return in_namespace("--mount", then=f"mount -t tmpfs -o {options} tmpfs {folder}")


class TestCase(unittest.TestCase):
    """Each class has its own folder, which is removed after the class's tests."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="nestbind-cli-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def compile(self, name, *options, source=FORKING, compiler="gcc"):
        """Compiles a program once, and returns its path."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            if shutil.which(compiler) is None:
                self.skipTest(f"there is no {compiler}")
            code = self.file(name + ".c", source)
            subprocess.run([compiler, "-O1", code, "-o", path, *options], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return path

    def skip_if_memory_is_not_watched(self):
        refusal = re.search(r"page faults cannot be sampled.*", nestbind("memory", "--", "true").stderr)
        if refusal:
            self.skipTest(refusal.group())

    def assertInOldStandards(self, header):
        """Checks that the header compiles alone, as old and new C and C++, without a warning."""
        for compiler, standard in (("gcc", "c90"), ("gcc", "c11"), ("g++", "c++98"), ("g++", "c++20")):
            language = "c++" if "+" in standard else "c"
            done = subprocess.run([compiler, "-std=" + standard, "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x",
                                   language, "-", "-I" + INCLUDE], input=f"#include <{header}>\n", capture_output=True,
                                  encoding="utf-8", check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), standard)

    def assertStatus(self, process, status):
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
