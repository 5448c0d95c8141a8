#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# packaging/try.sh runs this script inside the new system.
set -euo pipefail
cd /try
export DEBIAN_FRONTEND=noninteractive
readonly kind=$1
packages() { apt-get "$@" -q -y --no-install-recommends >>apt.log 2>&1 || { tail apt.log; exit 1; }; }
# Lists all files, except those in /var (apt's lists and caches), in /tmp and in this folder.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /var -o -path /try -o -path /tmp \) -prune -o -print | sort; }
bound() {
  OMP_NUM_THREADS=2 "$@" run --report auto -- ./program >out 2>report || { cat report; exit 1; }
  grep -q '^2 threads$' out && grep -q 'team of 2' report || { cat out report; exit 1; }
}

packages update
packages install gcc libc6-dev
gcc -fopenmp try.c -o program
case $kind in
  deb)
    files >before
    packages install ./*.deb
    bound nestbind
    packages purge nestbind nestbind-dev nestbind-slurm
    packages autoremove --purge
    ;;
  modules)
    packages install ./*.deb
    mv /usr/share/nestbind/modulefiles /try/modulefiles
    for system in environment-modules lmod; do
      packages install $system
      # This prefix is in no search path: only the module file makes its programs visible.
      rm -rf prefix && mkdir -p prefix/share/nestbind prefix/bin
      cp -r modulefiles prefix/share/nestbind
      ln -s /usr/bin/nestbind prefix/bin/of-module
      bash -ec '
        [ $0 = lmod ] && . /etc/profile.d/lmod.sh || . /etc/profile.d/modules.sh
        module use /try/prefix/share/nestbind/modulefiles
        module load nestbind
        [[ $MANPATH == *: ]]  # an empty entry: the manuals of the system
        [ "$(command -v of-module)" = /try/prefix/bin/of-module ]
        OMP_NUM_THREADS=2 nestbind run --report auto -- ./program >out 2>report
        module unload nestbind
        ! command -v of-module' $system
      grep -q "team of 2" report
      packages purge $system
    done
    exit
    ;;
  wheel)
    packages install python3-venv
    python3 -m venv venv
    files >before
    find venv | sort >venv-before
    venv/bin/pip install -q ./*.whl
    bound venv/bin/nestbind
    bound venv/bin/python -m nestbind
    for page in man1/nestbind.1 man7/nestbind-spec.7; do [ -f venv/share/man/$page ]; done
    venv/bin/python -c 'import nestbind; assert not nestbind.is_loaded()'
    venv/bin/nestbind run 2,scatter -- venv/bin/python -c 'import nestbind; assert nestbind.get() == "2,scatter"; nestbind.report()["threads"]'
    venv/bin/pip uninstall -q -y nestbind
    find venv | sort | diff venv-before -
    ;;
  tests)
    packages install git ca-certificates
    cd source
    tests/run.sh --quick
    exit
    ;;
  arm64)
    dpkg --add-architecture arm64
    packages update
    packages install cmake ninja-build make g++ g++-aarch64-linux-gnu pkg-config libhwloc-dev:arm64 libcli11-dev libfmt-dev:arm64 \
      nlohmann-json3-dev catch2 python3 qemu-user libgomp1:arm64 hwloc-nox
    export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig
    for compiler in C_COMPILER=aarch64-linux-gnu-gcc CXX_COMPILER=aarch64-linux-gnu-g++ SYSTEM_NAME=Linux SYSTEM_PROCESSOR=aarch64 \
      CROSSCOMPILING_EMULATOR=qemu-aarch64; do
      echo "set(CMAKE_${compiler/=/ })"
    done >arm64.cmake
    cmake -G Ninja -S source -B build -DCMAKE_TOOLCHAIN_FILE=/try/arm64.cmake -DNESTBIND_BUILD_TESTS=ON
    cmake --build build
    aarch64-linux-gnu-gcc -fopenmp try.c -o program
    OMP_NUM_THREADS=2 OMP_NESTING_TEAM_SIZE=2,scatter NESTBIND_REPORT=text qemu-aarch64 -E LD_PRELOAD=build/lib/libnestbind.so ./program \
      >out 2>report || { cat report; exit 1; }
    grep -q '^2 threads$' out && grep -q 'team of 2' report || { cat out report; exit 1; }
    # Some unit tests start their own program again. The kernel must run this program with qemu-aarch64.
    readonly formats=/proc/sys/fs/binfmt_misc
    mount -t binfmt_misc binfmt_misc $formats
    trap 'echo -1 >$formats/nestbind-arm64' EXIT
    printf '%s' ':nestbind-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' \
      ':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64:F' >$formats/register
    # The rest needs what qemu-user does not have: system call filters, protected pages, signal masks and starts in /proc.
    ctest --test-dir build -R '^unit_' -E '^unit_(binding|cli|interpose|observe|placement|workers)$' --output-on-failure
    exit
    ;;
  source)
    packages install cmake make g++ pkg-config libhwloc-dev libcli11-dev libfmt-dev nlohmann-json3-dev libncurses-dev
    files >before
    { cmake -S source -B build && cmake --build build -j "$(nproc)" && cmake --install build --prefix /opt/nestbind; } >build.log 2>&1 ||
      { tail build.log; exit 1; }
    bound /opt/nestbind/bin/nestbind
    cmake --build build --target uninstall >>build.log
    find /opt -depth -type d -empty -delete
    mkdir -p /opt
    ;;
esac
files | diff before -
