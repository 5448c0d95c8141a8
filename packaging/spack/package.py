# SPDX-License-Identifier: BSD-3-Clause
# To use this recipe, run `spack repo create mine`, copy this file to mine/packages/nestbind/package.py, and
# run `spack repo add mine`. The source is a checkout, or a tarball of packaging/packages.sh.
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # before Spack 1.0, spack.package has CMakePackage
    pass


class Nestbind(CMakePackage):
    """Binds the threads of nested OpenMP teams to cores, in unchanged programs."""

    homepage = "file:///"  # the place of your copy
    git = "file:///"  # the place of your copy

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("slurm", default=False, description="Build the plugin for Slurm")
    variant(
        "scotch", default=False, description="Let `nestbind map` and `nestbind balance` ask SCOTCH"
    )
    variant("libdw", default=True, description="Find source lines by elfutils")
    variant("python", default=False, description="Install the Python module")

    extends("python@3.9:", when="+python")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11@2:", type="build")
    depends_on("fmt@9:", type="build")
    depends_on("nlohmann-json@3.9:", type="build")
    depends_on("hwloc@2.5:")
    depends_on("ncurses+termlib")
    depends_on("slurm", when="+slurm")
    depends_on("scotch", when="+scotch")
    depends_on("elfutils", when="+libdw")

    conflicts("platform=darwin", msg="nestbind is for Linux")

    def cmake_args(self):
        # If a variant is off, CMake does not search for its library, even if the system has the library.
        without = []
        for variant, name in (
            ("slurm", "SLURM_INCLUDE"),
            ("scotch", "SCOTCH_INCLUDE"),
            ("libdw", "LIBDW_INCLUDE"),
        ):
            if self.spec.satisfies(f"~{variant}"):
                without.append(self.define(f"NESTBIND_{name}", False))
        return without

    @run_after("install")
    def install_python_module(self):
        if self.spec.satisfies("+python"):
            module = join_path(python_platlib, "nestbind")
            install_tree(
                join_path(self.stage.source_path, "packaging", "python", "nestbind"), module
            )
            symlink(self.prefix.bin, join_path(module, "bin"))
