#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: check.sh [CACHE FOLDER]. Checks the access counter on guests of different shapes. The
# programs in the guests have known traffic. The exit status is 1 if a check fails, and 77 if QEMU
# cannot be installed.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
cache=${1:-$here/../../build/guest}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

expect() {
  if [[ $2 == "$3" ]]; then
    echo "ok   $1"
  else
    echo "FAIL $1"
    diff <(echo "$2") <(echo "$3") | head -n 20
    failures=$((failures + 1))
  fi
}

# In section 1, 80 of 100 accesses are local, and all are to node 0, so the imbalance is 200 %. In
# section 2, 30 of 40 accesses are local, and the controllers have 10, 10, 20 and 0 accesses.
cat >"$work/one.csv" <<'TEXT'
label,section,kind,processor,home,node,loads,stores,load_bytes,store_bytes
0,1,array,0,0,0,60,20,480,160
0,1,array,7,1,0,20,0,160,0
1,2,rest,0,0,0,4,6,0,0
1,2,rest,5,1,1,5,5,0,0
1,2,rest,8,2,2,10,0,0,0
1,2,rest,12,3,2,10,0,0,0
TEXT
expect 'report' '0,1,array,local,,,80.0000
0,1,array,imbalance,,,200.00
0,1,array,remote,1,0,20
1,2,rest,local,,,75.0000
1,2,rest,imbalance,,,81.65
1,2,rest,remote,3,2,10' "$("$here/report" "$work/one.csv" | grep -E 'local|imbalance|remote,.*,[1-9][0-9]*$')"

"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -pthread "$here/known_traffic.c" -o "$work/known_traffic" || exit 1

check_machine() {
  local machine=$1 nodes=$2
  cat >"$work/jobs" <<TEXT
first||$work/known_traffic $nodes 1
second|ACCESS_COUNTER_LABEL=42|$work/known_traffic $nodes 3
TEXT
  "$here/count" "$work/traffic.csv" jobs --cache "$cache" --machine "$machine" --timeout 120 \
    --file "$work/known_traffic" --results "$work/results" "$work/jobs" >"$work/printed"
  local status=$?
  ((status != 77)) || { cat "$work/printed"; exit 77; }
  expect "$machine: the program runs" 0 $status
  ((status == 0)) || { cat "$work/printed" "$work/results"/*.err; return; }
  expect "$machine: every array access" "$(cat "$work/results"/{first,second}.out)" \
    "$(awk -F, -v OFS=, '$3 == "array" { print $1, $2, $3, $4, $6, $7, $8 }' "$work/traffic.csv")"
  expect "$machine: eight bytes each" 0 \
    "$(awk -F, '$3 == "array" && ($9 != 8 * $7 || $10 != 8 * $8)' "$work/traffic.csv" | wc -l)"
  # Each processor makes 5000 loads from its own buffer in each of the four sections.
  expect "$machine: what is no array is among the rest" "$(sort -u <(awk -F, '{ print $1 "," $2 "," $4 }' "$work/results"/*.out))" \
    "$(awk -F, -v nodes="$nodes" '$3 == "rest" && $6 == $4 % nodes && $7 >= 5000 { print $1 "," $2 "," $4 }' "$work/traffic.csv" | sort -u)"
}

check_fortran() {
  if ! command -v gfortran >/dev/null; then
    echo "SKIP: the markers in Fortran: no gfortran"
    return
  fi
  cat >"$work/program.f90" <<'TEXT'
program one_array
  use access_counter
  use, intrinsic :: iso_c_binding
  real(8), allocatable :: a(:)
  integer :: i
  allocate(a(1000))
  a = 1
  call access_counter_array(a, 8000_c_size_t)
  call access_counter_start()
  do i = 1, size(a)
    a(i) = a(i) * 2
  end do
  call access_counter_stop()
  if (any(a /= 2)) stop 1
end program
TEXT
  "${CC:-cc}" -O2 -c "$here/marker.c" -o "$work/marker.o" &&
    gfortran -O1 -fno-tree-vectorize -J "$work" "$here/marker.f90" "$work/program.f90" "$work/marker.o" -o "$work/program" || exit 1
  "$here/count" "$work/fortran.csv" run --cache "$cache" --file "$work/program" -- \
    /bin/sh -c 'exec numactl --membind=2 --cpunodebind=2 "$0"' "$work/program"
  expect 'Fortran: the program runs' 0 $?
  expect 'Fortran: one node of four' '0,1,array,accesses,,,2000
0,1,array,local,,,100.0000
0,1,array,imbalance,,,200.00
0,1,array,controller,,2,2000' "$("$here/report" "$work/fortran.csv" | grep ',array,' | grep -Ev 'remote|,0$')"
}

check_transfers() {
  "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "$here/known_transfers.c" -o "$work/known_transfers" || exit 1
  local expected
  expected=$(ACCESS_COUNTER_LINES=$work/lines.csv "$here/count" "$work/traffic.csv" run --cache "$cache" -- "$work/known_transfers")
  expect 'lines: the program runs' 0 $?
  expect 'lines: every transfer' "$expected" \
    "$(awk -F, -v OFS=, '$3 == "array" && $6 > 0 { print $4, $5, $6 }' "$work/lines.csv")"
}

check_machine barcelona 4
check_machine smt 2
check_transfers
check_fortran

((failures == 0))
