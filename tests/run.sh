#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing (Debian 12, as root or with sudo), builds, and tests.
#
#   tests/run.sh           what CI runs: every capability, in at most 15 minutes on two processors
#   tests/run.sh --quick   one compiler, the unit tests, the command and the main variants
#   tests/run.sh --all     every case in every variant, fuzzing, and tests that take minutes; more than an hour
#
# Each stage prints its elapsed time, and the sum of its user and system time, in seconds. The output of the stage is in build/test-logs.
set -u
cd "$(dirname "$0")/.." || exit 1
quick=no
all=
case ${1:-} in
  --quick) quick=yes ;;
  --all) all=--all ;;
  '') ;;
  *) echo "usage: tests/run.sh [--quick | --all]"; exit 2 ;;
esac
jobs=$(nproc)
logs=build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0
failed=0
begun=$SECONDS

# Shows the first failure and the end of the log.
show_failure() {
  grep -A 3 '^FAIL' "$1" | head -n 8
  echo ...
  tail -n 24 "$1"
}

# timed NAME COMMAND...: runs the command.
timed() {
  local name=$1 TIMEFORMAT='%U %S'
  shift
  { time "$@" >"$logs/$name.log" 2>&1 </dev/null; } 2>"$logs/$name.times"
}

# processor_seconds FILE...: the sum of the times in files that `timed` has written.
processor_seconds() { cat "$@" 2>/dev/null | awk '{ sum += $1 + $2 } END { printf "%.0f", sum }'; }

# report NAME START STATUS: prints the closing line of a stage, and the failure if there is one.
report() {
  local name=$1 log=$logs/$1.log word=FAIL last
  last=$(tail -n 1 "$log" | cut -c1-90)
  case $3 in
    0) word=pass passed=$((passed + 1)) ;;
    77) word=skip ;;
    *) failed=$((failed + 1)) last="status $3" ;;
  esac
  printf '%s  %-18s %4d s, %4d s of a processor   %s\n' "$word" "$name" $((SECONDS - $2)) "$(processor_seconds "$logs/$name.times")" "$last"
  [ $word != FAIL ] || show_failure "$log" | sed 's/^/      /'
}

# stage NAME COMMAND...: runs a stage, and waits for its end.
stage() {
  local start=$SECONDS
  (timed "$@")
  report "$1" $start $?
}

# beside NAME COMMAND...: starts a stage that runs beside the next stages. `joined NAME` waits for its end.
declare -A beside_processes beside_starts
beside() {
  beside_starts[$1]=$SECONDS
  (timed "$@") &
  beside_processes[$1]=$!
}

joined() {
  wait "${beside_processes[$1]}"
  report "$1" "${beside_starts[$1]}" $?
}

finish() {
  printf 'total %d s, %d s of a processor\n' $((SECONDS - begun)) "$(processor_seconds "$logs"/*.times)"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

install_packages() {
  local wanted="g++ gcc gfortran make cmake ninja-build pkg-config libhwloc-dev hwloc libcli11-dev libfmt-dev zsh bash-completion
    likwid nlohmann-json3-dev catch2 clang-19 libomp-19-dev python3 strace patchelf binutils mandoc groff-base procps
    util-linux git librsvg2-bin libxml2-utils fonts-dejavu-core libncurses-dev tmux libdw-dev libscotch-dev libmetis-dev musl-tools bzip2 xz-utils"
  [ $quick = yes ] || wanted="$wanted libclang-rt-19-dev clang-format-19 clang-tidy-19 clang-14 flang-19 opari2 gdb valgrind
    libslurm-dev slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge openmpi-bin libopenmpi-dev mpich libmpich-dev
    qemu-system-x86 cpio"
  local missing=()
  local package
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && { echo "nothing missing"; return 0; }
  local sudo= known=()
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get update -q || return
  # A release of Debian may lack a package: Debian 13 lacks clang-14.
  for package in "${missing[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); else echo "there is no $package"; fi
  done
  # With RUNLEVEL=1 no daemon of a package (Slurm's) is started: the tests start their own daemons.
  $sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -q -y --no-install-recommends "${known[@]}" &&
    echo "installed ${known[*]}"
}

# build FOLDER CMAKE-OPTIONS...: several files at once, because these builds compile everything.
build() {
  local folder=$1
  shift
  cmake --preset developer -B "$folder" -DNESTBIND_UNITY=ON "$@" && cmake --build "$folder" -j "$jobs" && echo "built $folder"
}

# build_for_tests TARGETS FOLDER CMAKE-OPTIONS...: builds only these targets, with Clang.
build_for_tests() {
  local targets=$1 folder=$2
  shift 2
  cmake --preset developer -B "$folder" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=None \
    "-DCMAKE_C_FLAGS=-O1 -gline-tables-only -DNDEBUG" "-DCMAKE_CXX_FLAGS=-O1 -gline-tables-only -DNDEBUG" -DNESTBIND_UNITY=ON "$@" &&
    cmake --build "$folder" -j "$jobs" --target $targets && echo "built $targets in $folder"
}

# These unit tests run under ThreadSanitizer: teams, kept workers, and loops whose parameters change.
racing="unit_team unit_workers unit_loops-races"
races() {
  local program
  for program in $racing; do
    build/threads/*/"$program" || return
  done
  echo "no data race"
}

# tests_of FOLDER OPTIONS-OF-CTEST...: some tests mostly wait for other programs.
tests_of() {
  local folder=$1
  shift
  ctest --test-dir "$folder" --output-on-failure -j $((2 * jobs)) "$@"
}

# Only --all generates new texts.
sanitized=(-R '^(unit_|fuzz_.*_corpus$)')

# This build shows that every source can be compiled alone, and structure/symbols.py reads its object files.
build_sanitized() {
  build_for_tests "unit_tests fuzzers" "$@" -DNESTBIND_UNITY=OFF -DNESTBIND_PRECOMPILE=ON -DNESTBIND_BUILD_BENCH=OFF -DNESTBIND_FUZZ=ON
}

# The matrix on Intel's runtime, which is downloaded from PyPI.
matrix_intel() {
  local folder=$PWD/build/intel
  [ -e "$folder/libomp.so.5" ] || {
    python3 -m pip download -q --no-deps -d "$folder" intel-openmp && (cd "$folder" && python3 -m zipfile -e intel_openmp-*.whl . &&
      ln -s "$(find . -name libiomp5.so | head -n 1)" libomp.so.5)
  } || return 77
  python3 tests/matrix/run.py --no-counts --runtime "libiomp5=$folder" --variant clang19-libiomp5-preload build/gcc
}

staged_install() {
  rm -rf build/stage &&
    cmake --install build/gcc --prefix "$PWD/build/stage" &&
    python3 tests/install/check.py build/gcc build/stage &&
    python3 tests/install/first_hour.py build/stage
}

format_is_kept() {
  git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp' |
    xargs clang-format-19 --dry-run --Werror && echo "formatted"
}

# Runs clang-tidy: with --all on all files (five minutes on two processors). Otherwise it checks at most 6 files that the latest commits
# have changed.
tidy() {
  ninja -C build/sanitized -t targets all | sed -n 's/\(.*cmake_pch.hxx.pch\): .*/\1/p' | xargs -r ninja -C build/sanitized || return
  local names=('lib/*.cpp' 'instrument/*.cpp' 'cli/*.cpp')
  if [ "$all" ]; then
    git ls-files --cached --others --exclude-standard -- "${names[@]}"
  else
    git log --format= --name-only -n 12 -- "${names[@]}" | awk '!seen[$0]++' | while read -r name; do [ -e "$name" ] && echo "$name"; done | head -n 6
  fi | xargs -r -P "$jobs" -n 4 nice -n 19 clang-tidy-19 -p build/sanitized --quiet 2>/dev/null && echo "tidy"
}

# packaged KIND COMMAND...: makes packages by the command, and tries them in minimal Debian systems.
packaged() {
  local kind=$1 suite
  shift
  "$@" || return
  for suite in bookworm trixie; do
    packaging/try.sh "$kind" $suite || return
  done
}

stage packages install_packages
stage structure python3 tests/structure/check.py
stage structure-tested python3 tests/structure/self_test.py
# By default only Clang builds the unit tests, under the sanitizers.
unit=OFF
[ "$quick$all" = no ] || unit=ON
unity=ON
[ -z "$all" ] || unity=OFF
stage build-gcc build build/gcc "-DNESTBIND_UNIT_TESTS=$unit" "-DNESTBIND_UNITY=$unity"
[ -x build/gcc/bin/nestbind ] || finish
if [ $quick = yes ]; then
  stage tests-gcc tests_of build/gcc
  stage matrix-quick python3 tests/matrix/run.py --quick build/gcc
  stage sequences-quick python3 tests/sequences/run.py --kind places --kind sizes build/gcc
  finish
fi

# Runs beside the next build: most of these tests only wait for programs.
beside tests-gcc tests_of build/gcc
stage build-sanitized build_sanitized build/sanitized -DNESTBIND_SANITIZE=address,undefined
joined tests-gcc
stage symbols python3 tests/structure/symbols.py --make --libraries --exports build/gcc build/sanitized
stage tests-sanitized tests_of build/sanitized "${sanitized[@]}"
stage build-threads build_for_tests "$racing" build/threads -DNESTBIND_UNIT_TESTS_ONLY=ON -DNESTBIND_SANITIZE=thread
stage tests-threads races
stage format format_is_kept
if [ "$all" ]; then
  # symbols.py sees more calls in a build without optimisation.
  stage build-clang build build/clang -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DNESTBIND_BUILD_TESTS=OFF \
    -DNESTBIND_UNITY=OFF -DNESTBIND_PRECOMPILE=ON -DCMAKE_BUILD_TYPE=None \
    "-DCMAKE_C_FLAGS=-O0 -DNDEBUG" "-DCMAKE_CXX_FLAGS=-O0 -DNDEBUG"
  # Distributions build with _FORTIFY_SOURCE: some headers of the C library then replace functions that nestbind interposes.
  stage build-hardened build build/hardened -DNESTBIND_BUILD_TESTS=OFF "-DCMAKE_C_FLAGS=-D_FORTIFY_SOURCE=2" \
    "-DCMAKE_CXX_FLAGS=-D_FORTIFY_SOURCE=2"
  stage interface python3 tests/structure/interface.py --types build/gcc
  stage symbols-all python3 tests/structure/symbols.py --all build/gcc build/clang
  stage build-fuzzing build_sanitized build/fuzzing -DNESTBIND_SANITIZE=address,undefined,fuzzer-no-link \
    -DNESTBIND_SANITIZE_TESTS=ON -DNESTBIND_FUZZ_SECONDS=8
  stage tests-fuzzing tests_of build/fuzzing "${sanitized[@]}"
  stage fuzz tests_of build/fuzzing -L fuzz
fi
beside tidy tidy
beside slurm python3 tests/slurm/run.py build/gcc
stage matrix python3 tests/matrix/run.py $all build/gcc
[ -z "$all" ] || stage matrix-intel matrix_intel
stage properties python3 tests/properties/run.py build/gcc
stage sequences python3 tests/sequences/run.py $all build/gcc
stage install staged_install
stage matrix-installed python3 tests/matrix/run.py --no-counts --variant gcc-libgomp-linked \
  --case shapes/ --case environment/ --build build/matrix-installed build/stage
stage ways python3 tests/ways/run.py build/gcc
beside guest bash tests/guest/test.sh $all
stage opari python3 tests/opari/run.py $all build/gcc
joined guest
joined slurm
# Waiting MPI ranks use all processors, so this stage and any beside it would be several times slower.
stage mpi python3 tests/mpi/run.py build/gcc
joined tidy
stage guest-suite python3 tests/guest-suite/run.py $all build/gcc
if [ "$all" ]; then
  stage guest-natively python3 tests/guest-suite/natively.py build/gcc
  stage guest-ranks python3 tests/guest-suite/ranks.py --all build/gcc
  stage guest-pools python3 tests/guest-suite/pools.py ${NESTBIND_POOLS_PYTHON:+--python "$NESTBIND_POOLS_PYTHON"} build/gcc
  stage guest-memory python3 tests/guest-suite/memory.py --all build/gcc
  stage site python3 tests/site/run.py build/gcc
  stage beside python3 tests/beside/run.py build/gcc
  stage packages-deb packaged deb packaging/packages.sh deb
  stage packages-modules packaged modules true
  stage packages-wheel packaged wheel packaging/wheel.sh
  stage packages-source packaged source true
fi
finish
