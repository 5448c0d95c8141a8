# SPDX-License-Identifier: BSD-3-Clause
"""nestbind and the loader must report the same missing OpenMP symbols."""
import os
import re
import unittest

from libraries import ComparingTestCase, output_of, read, traced


class MissingSymbols(ComparingTestCase):
    """Finds the OpenMP functions that a program needs, but that no library has."""

    def lacking(self, process):
        functions, nodes = {}, set()
        for line in process.stdout.splitlines():
            function = re.match(r"undefined symbol: ([^,\t]+)(?:, version (\S+))?\s+\((.*)\)", line)
            node = re.match(r".*: version `(.*)' not found \(required by (.*)\)", line)
            if function and function[1].startswith(("GOMP_", "omp_", "GOACC_", "acc_")):
                functions[f"missing function {function[1]} {function[3]}"] = f"missing node {function[2]} {function[3]}"
            elif node:
                nodes.add(f"missing node {node[1]} {node[2]}")
        return functions, nodes

    def assert_alike_missing(self, program, env, some):
        _, process = traced(program, env=env, variables=("LD_WARN", "LD_BIND_NOW"))
        functions, nodes = self.lacking(process)
        _, found = read(program, options=["--missing"], env=env)[program]
        self.assertEqual({line for line in found if line.startswith("missing node")}, nodes, process.stdout)
        self.assertLessEqual({line for line in found if line.startswith("missing function")}, set(functions), process.stdout)
        for function, node in functions.items():
            self.assertTrue(function in found or node in found, (function, process.stdout))
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
        self.gcc(self.path("none/libnodes.so"), source, "-shared", "-fPIC", "-Wl,-soname,libnodes.so")
        calls = "int omp_old(void); int omp_new(void); int main(void) { return omp_old() + omp_new(); }"
        program = self.gcc(self.path("program"), calls, self.path("both/libnodes.so"))
        unversioned = self.gcc(self.path("unversioned"), calls, self.path("none/libnodes.so"))
        for folder, some in (("both", False), ("fewer", True), ("none", False)):
            with self.subTest(folder=folder):
                self.assert_alike_missing(program, {"LD_LIBRARY_PATH": self.path(folder)}, some)
                self.assert_alike_missing(unversioned, {"LD_LIBRARY_PATH": self.path(folder)}, folder == "fewer")


if __name__ == "__main__":
    unittest.main()
