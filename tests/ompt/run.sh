#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One case on one OpenMP runtime with OMPT:  run.sh CASE LIBNESTBIND PROGRAMS RUNTIME MACHINE
#
# LIBNESTBIND: the path of libnestbind.so. PROGRAMS: the folder of the test programs. RUNTIME: a libomp.so.5 or libiomp5.so.
# MACHINE: barcelona.xml, for which nestbind plans. If the case cannot run, the reason is printed, and the exit status is 77.
set -u
case_name=$1 library=$2 programs=$3 runtime=$4
export NESTBIND_MACHINE="$5" KMP_DUPLICATE_LIB_OK=TRUE KMP_WARNINGS=0
unset OMP_TOOL_LIBRARIES OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES OMP_TOOL OMP_NESTING_TEAM_SIZE

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
ln -s "$runtime" "$scratch/libomp.so.5"
# Makes a copy, not a link, so that a process that loads both names has two runtimes.
cp -L "$runtime" "$scratch/libgomp.so.1"
faults=0
ran=0

# expect NAME WANTED-LINES: compares the output of the last program with these lines.
expect() {
  if [ "$2" != "$(cat "$scratch/out")" ]; then
    printf '%s: expected\n%s\nbut got\n' "$1" "$2"
    cat "$scratch/out"
    faults=$((faults + 1))
  fi
}

# launch PROGRAM [ARGUMENTS]: runs the program on RUNTIME, with the library preloaded.
launch() {
  LD_LIBRARY_PATH="$scratch" LD_PRELOAD="$library${after:+:$after}" timeout 60 "$@" \
    >"$scratch/out" 2>"$scratch/err"
  status=$?
  sed -n 's/ checks [0-9]*//; /^second tool/p' "$scratch/err" >>"$scratch/out"
  if [ $status -ne 0 ]; then
    printf '%s: status %d\n' "$*" $status >>"$scratch/out"
    cat "$scratch/err" >>"$scratch/out"
  fi
}

# usable PROGRAM: whether RUNTIME has all functions that the program needs.
usable() {
  [ -e "$programs/$1" ] || { echo "$1: not built"; return 1; }
  if LD_LIBRARY_PATH="$scratch" ldd -r "$programs/$1" 2>&1 |
    grep -E 'undefined symbol: (__kmpc|GOMP|omp_get)|version .* not found'; then
    echo "$1: cannot run on $runtime"
    return 1
  fi
  ran=$((ran + 1))
}

after=
for compiler in clang gcc; do
  case $case_name in
    second-tool)
      usable regions-$compiler || continue
      wanted='regions: right
second tool: regions 320 members 600 tasks 661 faults 0'
      export OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=4
      OMP_TOOL_LIBRARIES=$programs/libsecond_tool.so launch "$programs/regions-$compiler"
      expect "$compiler, no specification" "$wanted"
      export OMP_NESTING_TEAM_SIZE=3,scatter,2,subcompact,2,subcompact
      OMP_TOOL_LIBRARIES=/nowhere.so:$programs/libsecond_tool.so launch "$programs/regions-$compiler"
      expect "$compiler, OMP_TOOL_LIBRARIES" "$wanted"
      after=$programs/libsecond_tool.so launch "$programs/regions-$compiler"
      expect "$compiler, preloaded behind" "$wanted"
      unset OMP_NESTING_TEAM_SIZE OMP_NUM_THREADS OMP_MAX_ACTIVE_LEVELS
      ;;
    placed)
      usable late-$compiler || continue
      wanted='before: - -
max 4, first: 0 1 / 4 5 / 8 9 / 12 13
max 4, again: 0 1 / 4 5 / 8 9 / 12 13
max 2, other: 0 1 2 3 / 8 9 10 11'
      launch "$programs/late-$compiler"
      expect "$compiler, alone" "$wanted"
      export OMP_TOOL_LIBRARIES="$programs/libsecond_tool.so"
      SECOND_TOOL_DECLINES=1 launch "$programs/late-$compiler"
      expect "$compiler, declined" "$wanted"
      SECOND_TOOL_REFUSES=1 launch "$programs/late-$compiler"
      expect "$compiler, refused" "$wanted"
      launch "$programs/late-$compiler"
      expect "$compiler, with a second tool" "$wanted
second tool: regions 14 members 36 tasks 37 faults 0"
      unset OMP_TOOL_LIBRARIES
      ;;
    league)
      # The runtimes give a team of a league at most as many threads as there are processors.
      [ "$(nproc)" -ge 2 ] || { echo 'needs two processors'; continue; }
      usable league-$compiler || continue
      OMP_NESTING_TEAM_SIZE=2,scatter,2,subcompact launch "$programs/league-$compiler"
      expect "$compiler" 'league: 0 1 / 8 9'
      ;;
    two-runtimes)
      [ $compiler = clang ] && usable libplugin-clang.so && usable libplugin-gcc.so || continue
      wanted='nested in the first: 0 1 / 4 5 / 8 9 / 12 13
nested in the second: 0 1 / 4 5 / 8 9 / 12 13
second in first: 0 1 / 4 5 / 8 9 / 12 13
first in second: 0 1 / 4 5 / 8 9 / 12 13
always the same: yes'
      export OMP_NESTING_TEAM_SIZE=4,scatter,2,subcompact
      launch "$programs/two_runtimes" "$programs/libplugin-clang.so" "$programs/libplugin-gcc.so"
      expect 'both alone' "$wanted"
      OMP_TOOL_LIBRARIES=$programs/libsecond_tool.so \
        launch "$programs/two_runtimes" "$programs/libplugin-clang.so" "$programs/libplugin-gcc.so"
      # The number of tasks varies: a thread of the other runtime becomes an initial thread several times.
      sed -i 's/ tasks [0-9]*//' "$scratch/out"
      expect 'a second tool on the first' "$wanted
second tool: regions 200 members 480 faults 0"
      # The real libgomp runs beside libomp here, and the GOMP hook sees the forks.
      rm "$scratch/libgomp.so.1"
      launch "$programs/two_runtimes" "$programs/libplugin-clang.so" "$programs/libplugin-gcc.so"
      expect 'beside libgomp' "$wanted"
      NESTBIND_ROOTS=divide \
        launch "$programs/two_runtimes" "$programs/libplugin-clang.so" "$programs/libplugin-gcc.so"
      expect 'a root in both' "$wanted"
      unset OMP_NESTING_TEAM_SIZE
      ;;
    *)
      echo "no such case: $case_name"
      exit 2
      ;;
  esac
done
[ $ran -gt 0 ] || exit 77
[ $faults -eq 0 ]
