#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing (Debian 12, as root or with sudo), builds, and runs every test.
#
#   tests/run.sh           all of it
#   tests/run.sh --quick   one compiler, the unit tests, the command and the main variants: under 3 minutes
#
# Each stage prints its time; its output is in build/test-logs. The last line is the result.
set -u
cd "$(dirname "$0")/.." || exit 1
quick=no
[ "${1:-}" = --quick ] && quick=yes
jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
passed=0
failed=0
begun=$SECONDS

# What failed first, for it may stand far from the end.
show_failure() {
  grep -A 3 '^FAIL' "$1" | head -n 16
  echo ...
  tail -n 24 "$1"
}

# stage NAME COMMAND...: runs it, shows its closing line, and on failure what failed.
stage() {
  local name=$1 start=$SECONDS status
  shift
  "$@" >"$logs/$name.log" 2>&1 </dev/null
  status=$?
  if [ $status -eq 0 ]; then
    passed=$((passed + 1))
    printf 'pass  %-22s %4d s   %s\n' "$name" $((SECONDS - start)) "$(tail -n 1 "$logs/$name.log" | cut -c1-90)"
  elif [ $status -eq 77 ]; then
    printf 'skip  %-22s %4d s   %s\n' "$name" $((SECONDS - start)) "$(tail -n 1 "$logs/$name.log" | cut -c1-90)"
  else
    failed=$((failed + 1))
    printf 'FAIL  %-22s %4d s   status %d\n' "$name" $((SECONDS - start)) $status
    show_failure "$logs/$name.log" | sed 's/^/      /'
  fi
}

# beside NAME COMMAND...: begins a stage while others go on; `stage NAME joined NAME` waits for it.
declare -A beside_processes
beside() {
  local name=$1
  shift
  (
    "$@" >"$logs/$name.beside" 2>&1 </dev/null
    echo $? >"$logs/$name.status"
  ) &
  beside_processes[$name]=$!
}

joined() {
  wait "${beside_processes[$1]}"
  cat "$logs/$1.beside"
  return "$(cat "$logs/$1.status")"
}

finish() {
  printf 'total %d s\n%d passed, %d failed\n' $((SECONDS - begun)) "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

install_packages() {
  local wanted="g++ gcc gfortran make cmake ninja-build pkg-config libhwloc-dev hwloc libcli11-dev libfmt-dev zsh bash-completion
    likwid nlohmann-json3-dev catch2 clang-19 libomp-19-dev python3 strace patchelf binutils mandoc groff-base procps
    util-linux git librsvg2-bin libxml2-utils fonts-dejavu-core libncurses-dev tmux libdw-dev libscotch-dev libmetis-dev"
  [ $quick = yes ] || wanted="$wanted libclang-rt-19-dev clang-format-19 clang-tidy-19 clang-14 flang-19 opari2 gdb valgrind
    libslurm-dev slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge openmpi-bin libopenmpi-dev mpich libmpich-dev"
  local missing=()
  local package
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && { echo "nothing missing"; return 0; }
  local sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  # RUNLEVEL: no daemon of these is started (Slurm's); the tests start their own.
  $sudo apt-get update -q &&
    $sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -q -y --no-install-recommends "${missing[@]}" &&
    echo "installed ${missing[*]}"
}

# build FOLDER CMAKE-OPTIONS...
build() {
  local folder=$1
  shift
  cmake --preset developer -B "$folder" "$@" && cmake --build "$folder" -j "$jobs" && echo "built $folder"
}

# build_only TARGETS FOLDER CMAKE-OPTIONS...: some test programs, with Clang.
build_only() {
  local targets=$1 folder=$2
  shift 2
  cmake --preset developer -B "$folder" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
    -DNESTBIND_UNIT_TESTS_ONLY=ON "$@" && cmake --build "$folder" -j "$jobs" --target $targets &&
    echo "built $targets in $folder"
}

# The kept workers, and loops whose parameters change, under ThreadSanitizer.
races() { build/threads/bin/unit_workers && build/threads/bin/unit_loops-races && echo "no data race"; }

# Some of them wait for others' programs most of the time.
unit_tests() { ctest --test-dir "$1" --output-on-failure -j $((2 * jobs)) -LE fuzz; }

fuzz() {
  ctest --test-dir build/sanitized --output-on-failure -j "$jobs" -L fuzz
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

# What the latest commits have changed: all files take some five minutes of two processors. Without history, all.
tidy() {
  local names=('lib/*.cpp' 'instrument/*.cpp' 'cli/*.cpp')
  { git diff --name-only --diff-filter=d HEAD~12 -- "${names[@]}" 2>/dev/null ||
    git ls-files --cached --others --exclude-standard -- "${names[@]}"; } |
    xargs -r -P "$jobs" -n 4 nice -n 19 clang-tidy-19 -p build/clang --quiet 2>/dev/null && echo "tidy"
}

stage packages install_packages
stage structure python3 tests/structure/check.py
stage structure-tested python3 tests/structure/self_test.py
# Of the unit tests what Clang makes is run, under the sanitizers; all of the rest is GCC's.
unit=OFF
[ $quick = yes ] && unit=ON
stage build-gcc build build/gcc "-DNESTBIND_UNIT_TESTS=$unit"
[ -x build/gcc/bin/nestbind ] || finish
stage symbols python3 tests/structure/symbols.py build/gcc
if [ $quick = yes ]; then
  stage tests-gcc unit_tests build/gcc
  stage matrix-quick python3 tests/matrix/run.py --quick build/gcc
  finish
fi

# Of these most wait for programs, and for each other.
beside tests-gcc unit_tests build/gcc
# Unoptimised: in half the time, and each call of another file is a symbol that can be looked at.
stage build-clang build build/clang -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DNESTBIND_BUILD_TESTS=OFF \
  -DNESTBIND_PRECOMPILE=ON -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-O0 -DNDEBUG" "-DCMAKE_CXX_FLAGS=-O0 -DNDEBUG"
stage tests-gcc joined tests-gcc
stage symbols-all python3 tests/structure/symbols.py --all build/gcc build/clang
stage build-sanitized build build/sanitized -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
  -DNESTBIND_UNIT_TESTS_ONLY=ON -DNESTBIND_SANITIZE=address,undefined,fuzzer-no-link -DNESTBIND_FUZZ=ON -DNESTBIND_FUZZ_SECONDS=3 \
  -DNESTBIND_PRECOMPILE=ON \
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only -DNDEBUG"
stage tests-sanitized unit_tests build/sanitized
stage build-threads build_only "unit_workers unit_loops-races" build/threads -DNESTBIND_SANITIZE=thread
stage tests-threads races
stage fuzz fuzz
stage format format_is_kept
beside tidy tidy
# Its daemons and jobs wait for each other most of the time.
beside slurm python3 tests/slurm/run.py build/gcc
stage matrix python3 tests/matrix/run.py build/gcc
stage properties python3 tests/properties/run.py build/gcc
stage install staged_install
# The same files in another place: a few cases of one variant find what is missing there.
stage matrix-installed python3 tests/matrix/run.py --quick --no-counts --variant gcc-libgomp-linked \
  --case shapes/ --case environment/ --build build/matrix-installed build/stage
stage ways python3 tests/ways/run.py build/gcc
stage opari python3 tests/opari/run.py build/gcc
stage slurm joined slurm
stage guest bash tests/guest/test.sh
stage tidy joined tidy
stage guest-suite python3 tests/guest-suite/run.py build/gcc
# One of its three machines; the others take five minutes more.
stage guest-natively python3 tests/guest-suite/natively.py --machine smt build/gcc
# Every sixth case; --all takes four minutes more.
stage guest-ranks python3 tests/guest-suite/ranks.py build/gcc
# Some of the programs whose memory is moved; --moved, all of them, takes some minutes more.
stage guest-memory python3 tests/guest-suite/memory.py build/gcc
finish
