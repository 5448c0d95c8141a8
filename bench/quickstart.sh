#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows nestbind on a plain Debian. Installs missing packages, builds, and shows the machine and a
# plan. Then runs nested STREAM unbound, with the OpenMP runtime's own binding, and bound by
# nestbind. Run this script as root, or with sudo. The exit status is 0 if every thread was on the
# planned processors and every result was right.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."

readonly packages=(cmake ninja-build g++ pkg-config libhwloc-dev hwloc libcli11-dev libfmt-dev
  nlohmann-json3-dev libncurses-dev libdw-dev)
readonly build=build
readonly out=$build/quickstart
readonly log=$out/log
readonly nestbind=$build/bin/nestbind
readonly stream=$build/bin/nested_stream
readonly repetitions=6
readonly shown_threads=32

fail() {
  printf '\nquickstart: FAILED: %s\n' "$1"
  exit 1
}

quietly() {
  "$@" >>"$log" 2>&1 && return
  tail -n 30 "$log"
  fail "$* (all of it: $log)"
}

heading() { printf '\n== %s\n' "$1"; }

# Removes the user's own settings, because they change the results of the demonstration.
forget_settings() {
  local name
  for name in $(compgen -e | grep -E '^(OMP|GOMP|KMP|NESTBIND)_' || true); do
    unset "$name"
    echo "left out of the environment: $name"
  done
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
      echo "$package"
  done
}

install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    echo "this is not Debian: no package is installed (needed: ${packages[*]})"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then
    echo "installed: ${packages[*]}"
    return
  fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "not root, and sudo is not installed; missing: ${missing[*]}"
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  quietly "${as_root[@]}" apt-get update
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

build_all() {
  local anew=()  # options for a new build folder; an existing folder keeps its options
  [[ -f $build/CMakeCache.txt ]] || anew=(-G Ninja -DCMAKE_BUILD_TYPE=Release)
  quietly cmake -S . -B "$build" "${anew[@]}" \
    -DNESTBIND_BUILD_TESTS=OFF -DNESTBIND_BUILD_BENCH=ON -DNESTBIND_WERROR=OFF
  quietly cmake --build "$build" --parallel "$(nproc)"
  [[ -x $stream ]] || fail "the C compiler has no OpenMP: $stream was not built"
  echo "built in $build/"
}

show_machine() {
  local picture
  picture=$(lstopo-no-graphics --of console --no-io)
  if (($(wc -l <<<"$picture") <= 40)); then
    echo "$picture"
  else
    "$nestbind" plan 1,compact | head -n 1
  fi
}

machine_has() {
  "$nestbind" plan 1,compact | sed -nE "1s/.*\b([0-9]+) $1.*/\1/p"
}

# Prints one or two shapes "Y Z" (teams, threads of a team) that use all cores. A machine with
# several NUMA nodes (or else several packages) has one shape, with a team for each.
choose_shapes() {
  local cores teams
  cores=$(machine_has core)
  teams=$(machine_has 'NUMA node')
  ((${teams:-1} > 1)) || teams=$(machine_has package)
  if ((${teams:-1} > 1)); then
    echo "$teams $((cores / teams))"
    return
  fi
  echo "1 $cores"
  ((cores < 2)) || echo "2 $((cores / 2))"
}

# Prints how many elements of an array each thread gets. $1 is the number of threads. The three
# arrays of all threads together have twice the size of the caches, within two limits.
elements_for() {
  local cache memory
  cache=$(lscpu -B -C=NAME,ALL-SIZE 2>/dev/null |
    awk 'NR > 1 && $2 > most { most = $2 } END { print most + 0 }')
  memory=$(awk '/^MemAvailable/ { print $2 * 1024 }' /proc/meminfo)
  awk -v threads="$1" -v cache="$cache" -v memory="$memory" 'BEGIN {
    elements = int(2 * cache / 24 / threads)
    if (elements < 2000000) elements = 2000000
    if (elements > memory / 4 / 24 / threads) elements = int(memory / 4 / 24 / threads)
    print elements
  }'
}

# Prints the plan as "path,processors".
planned_threads() {
  "$nestbind" plan "$@" --format json |
    sed -nE 's/.*"path": ?\[([0-9]+), ?([0-9]+)\], ?"cpus": ?\[([0-9, ]*)\].*/\1.\2;\3/p' |
    tr -d ' ' | tr ',;' ' ,'
}

# Prints the path and column $1 of each thread in file $2, with all ranges expanded.
threads_column() {
  awk -F, -v column="$1" 'NR > 1 {
    count = split($column, parts, " ")
    list = ""
    for (i = 1; i <= count; ++i) {
      ends = split(parts[i], range, "-")
      for (cpu = range[1]; cpu <= range[ends]; ++cpu) list = list (list == "" ? "" : " ") cpu
    }
    print $1 "," list
  }' "$2"
}

# Counts the threads in file $1 that have exactly the planned processors. Sets `verdict`, and adds
# the number of all other threads to `lost`.
lost=0
verdict=
compare_with_plan() {
  local threads=$1 total right
  shift
  planned_threads "$@" >"$out/plan"
  total=$(wc -l <"$out/plan")
  right=$(threads_column 3 "$threads" | grep -cxFf "$out/plan" || true)
  ((total > 0)) || fail "no plan for $1"
  lost=$((lost + total - right))
  verdict="$right of $total threads have exactly the processors that the plan says"
}

# $1 is the name of the run, $2 and so on are the command.
run_stream() {
  local name=$1
  shift
  if ! "$@" >"$out/$name.csv" 2>"$out/$name.errors"; then
    cat "$out/$name.errors"
    fail "$*"
  fi
  awk -F, -v name="$name" '$1 == "triad" { printf "%-10s%12.2f%12.2f\n", name, $6, $7 }' \
    "$out/$name.csv"
}

print_threads() {
  local name
  for name in unbound native bound; do
    threads_column 2 "$out/$name.threads" >"$out/$name.ran"
  done
  printf '\nprocessors that each thread ran on\n'
  printf '%-10s%-16s%-16s%-16s%s\n' thread unbound native bound planned
  paste -d, "$out/unbound.ran" "$out/native.ran" "$out/bound.ran" "$out/plan" |
    head -n "$shown_threads" |
    awk -F, '{ printf "%-10s%-16s%-16s%-16s%s\n", $1, $2, $4, $6, $8 }'
  if (($(wc -l <"$out/plan") > shown_threads)); then
    echo "... (all: $out/*.threads)"
  fi
}

compare_bindings() {
  local teams=$1 size=$2
  local spec="$teams,scatter,$size,subscatter" elements arguments
  elements=$(elements_for $((teams * size)))
  arguments=(--csv "$teams" "$size" "$elements" "$repetitions")
  heading "nested STREAM, ${teams}x$size (outer threads x threads in each inner team)"
  "$nestbind" plan "$spec" | tail -n +2 | sed 's/^./  &/'
  printf '\n%-10s%12s%12s   (triad; arrays of %d MB a thread)\n' "" "best GB/s" median \
    $((elements * 8 / 1000000))
  run_stream unbound "$stream" --threads "$out/unbound.threads" "${arguments[@]}"
  run_stream native env OMP_PROC_BIND=spread,close OMP_PLACES=cores \
    "$stream" --threads "$out/native.threads" "${arguments[@]}"
  run_stream bound "$nestbind" run "$spec" -- \
    "$stream" --threads "$out/bound.threads" "${arguments[@]}"
  compare_with_plan "$out/bound.threads" "$spec"
  print_threads
  echo "bound: $verdict"
}

dry_run() {
  local machine=tests/machines/barcelona.xml spec=4,scatter,4,subscatter
  heading "dry run: the same program planned for four packages of four cores ($machine)"
  echo "\$ nestbind run --report --machine $machine $spec -- nested_stream 4 4"
  "$nestbind" run --report="text:$out/dry.report" --machine "$machine" "$spec" -- \
    "$stream" --csv --threads "$out/dry.threads" 4 4 10000 1 >"$out/dry.csv" ||
    fail "the dry run"
  cat "$out/dry.report"
  compare_with_plan "$out/dry.threads" "$spec" --topology "$machine"
  echo "dry run: $verdict"
}

main() {
  mkdir -p "$out"
  : >"$log"
  forget_settings
  heading "packages"
  install_missing
  heading "build"
  build_all
  heading "machine"
  show_machine
  heading "nested STREAM, once each: a first look (bench/README.md: tables of interleaved runs)"
  echo "unbound  nested_stream Y Z"
  echo "native   OMP_PROC_BIND=spread,close OMP_PLACES=cores nested_stream Y Z"
  echo "bound    nestbind run Y,scatter,Z,subscatter -- nested_stream Y Z"
  local teams size
  while read -r teams size <&3; do
    compare_bindings "$teams" "$size"
  done 3< <(choose_shapes)
  dry_run
  ((lost == 0)) || fail "$lost threads were not where the plan says"
  printf '\nquickstart: OK: every thread where the plan says, every result right (%d s)\n' "$SECONDS"
}

main "$@"
