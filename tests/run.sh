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

# beside NAME COMMAND...: begins a stage that takes what time the others leave; `stage NAME joined NAME` waits for it.
beside() {
  local name=$1
  shift
  (
    nice -n 19 bash -c '"$@"' beside "$@" >"$logs/$name.beside" 2>&1 </dev/null
    echo $? >"$logs/$name.status"
  ) &
  beside_process=$!
}

joined() {
  wait "$beside_process"
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
    util-linux git librsvg2-bin libxml2-utils fonts-dejavu-core libncurses-dev tmux libdw-dev libscotch-dev"
  [ $quick = yes ] || wanted="$wanted libclang-rt-19-dev clang-format-19 clang-tidy-19 clang-14 flang-19 opari2 gdb valgrind"
  local missing=()
  local package
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && { echo "nothing missing"; return 0; }
  local sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get update -q &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" &&
    echo "installed ${missing[*]}"
}

# build FOLDER CMAKE-OPTIONS...
build() {
  local folder=$1
  shift
  cmake --preset developer -B "$folder" "$@" && cmake --build "$folder" -j "$jobs" && echo "built $folder"
}

# build_only TARGET FOLDER CMAKE-OPTIONS...: one test program, with Clang.
build_only() {
  local target=$1 folder=$2
  shift 2
  cmake --preset developer -B "$folder" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
    -DNESTBIND_UNIT_TESTS_ONLY=ON "$@" && cmake --build "$folder" -j "$jobs" --target "$target" &&
    echo "built $target in $folder"
}

# The kept workers alone, under ThreadSanitizer.
races() { build/threads/bin/unit_workers && echo "no data race"; }

unit_tests() { ctest --test-dir "$1" --output-on-failure -j "$jobs" -LE fuzz; }

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
  { git diff --name-only --diff-filter=d HEAD~40 -- "${names[@]}" 2>/dev/null ||
    git ls-files --cached --others --exclude-standard -- "${names[@]}"; } |
    xargs -r -P "$jobs" -n 4 clang-tidy-19 -p build/clang --quiet 2>/dev/null && echo "tidy"
}
export -f tidy
export jobs

stage packages install_packages
stage structure python3 tests/structure/check.py
stage structure-tested python3 tests/structure/self_test.py
stage build-gcc build build/gcc
[ -x build/gcc/bin/nestbind ] || finish
stage symbols python3 tests/structure/symbols.py build/gcc
stage tests-gcc unit_tests build/gcc
if [ $quick = yes ]; then
  stage matrix-quick python3 tests/matrix/run.py --quick build/gcc
  finish
fi

# Unoptimised: in half the time, and each call of another file is a symbol that can be looked at. What Clang makes of the
# unit tests is run under the sanitizers.
stage build-clang build build/clang -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DNESTBIND_BUILD_TESTS=OFF \
  -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-O0 -DNDEBUG" "-DCMAKE_CXX_FLAGS=-O0 -DNDEBUG"
stage symbols-all python3 tests/structure/symbols.py --all build/gcc build/clang
stage build-sanitized build build/sanitized -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
  -DNESTBIND_UNIT_TESTS_ONLY=ON -DNESTBIND_SANITIZE=address,undefined,fuzzer-no-link -DNESTBIND_FUZZ=ON \
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only -DNDEBUG"
stage tests-sanitized unit_tests build/sanitized
stage build-threads build_only unit_workers build/threads -DNESTBIND_SANITIZE=thread
stage tests-threads races
stage fuzz fuzz
stage format format_is_kept
beside tidy tidy
stage matrix python3 tests/matrix/run.py build/gcc
stage properties python3 tests/properties/run.py build/gcc
stage install staged_install
# The same files in another place: a few cases of one variant find what is missing there.
stage matrix-installed python3 tests/matrix/run.py --quick --no-counts --variant gcc-libgomp-linked \
  --case shapes/ --case environment/ --build build/matrix-installed build/stage
stage ways python3 tests/ways/run.py build/gcc
stage opari python3 tests/opari/run.py build/gcc
stage guest bash tests/guest/test.sh
stage tidy joined tidy
stage guest-suite python3 tests/guest-suite/run.py build/gcc
# One of its three machines; the others take five minutes more.
stage guest-natively python3 tests/guest-suite/natively.py --machine smt build/gcc
stage guest-memory python3 tests/guest-suite/memory.py build/gcc
# Not here: tests/guest-suite/apply.py, which moves a tenth of a program's memory a second, and takes two minutes.
finish
