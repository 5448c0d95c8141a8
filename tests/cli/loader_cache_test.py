# SPDX-License-Identifier: BSD-3-Clause
"""The loader's cache: what is read of it, against what a loader does that has one of its own."""
import os
import re
import shutil
import unittest

from libraries import ComparingTestCase, output_of, read, traced


class LoaderCache(ComparingTestCase):
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


if __name__ == "__main__":
    unittest.main()
