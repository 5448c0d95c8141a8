#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the guest itself. test.sh [--all] [CACHE FOLDER]. The exit status is 0, 1, or 77 if QEMU cannot be installed. Without --all the
# guest boots twice.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
all=no
[[ ${1-} != --all ]] || { all=yes; shift; }
cache=${1:-$here/../../build/guest}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

guest() {
  local command=$1
  shift
  "$here/guest" "$command" --cache "$cache" "$@"
}

# expect WHAT EXPECTED FOUND: prints whether the two texts are the same.
expect() {
  if [[ $2 == "$3" ]]; then
    echo "ok   $1"
  else
    echo "FAIL $1"
    printf '  expected: %q\n  found:    %q\n' "$2" "$3"
    failures=$((failures + 1))
  fi
}

# If the guest cannot run, this prints SKIP and the reason.
guest image
status=$?
((status == 0)) || exit "$status"

output=$(guest run -- /bin/sh -c 'echo "$1 $(nproc)"; echo problem >&2; exit 3' sh "it's here" 2>"$work/err")
expect 'exit status of the program' 3 $?
expect 'output of the program' "it's here 16" "$output"
expect 'errors of the program' problem "$(grep -v '^guest: \|^qemu' "$work/err")"

cat >"$work/jobs" <<'TEXT'
# A comment, and an empty line

settings|A=1 B='two words'|echo "$A $B" | tr a-z A-Z
failing||exit 7
late||sleep 300 & sleep 300
cpuset||in-cpuset 4-7,12 1,3 sed -n 's/^\(Cpus\|Mems\)_allowed_list:.//p' /proc/self/status
distances||cat /sys/devices/system/node/node1/distance
policy||numactl --cpunodebind=2 --membind=3 numactl --show | grep -E '^(cpu|mem)bind'
files||echo kept >"$GUEST_FILES/note"
TEXT
printed=$(guest jobs --timeout 5 --results "$work/results" "$work/jobs")
expect 'exit status of failing jobs' 1 $?
expect 'what is printed of jobs' 'ok   settings
FAIL failing (status 7)
LATE late (after 5 s)
ok   cpuset
ok   distances
ok   policy
ok   files' "$printed"
expect 'environment, and a pipe in a command' '1 TWO WORDS' "$(<"$work/results/settings.out")"
expect 'status file' 7 "$(<"$work/results/failing.status")"
expect 'status file of a late job' 124 "$(<"$work/results/late.status")"
expect 'cgroup cpuset' $'4-7,12\n1,3' "$(<"$work/results/cpuset.out")"
expect 'distances' '16 10 22 16' "$(<"$work/results/distances.out")"
expect 'numactl' $'cpubind: 2 \nmembind: 3 ' "$(<"$work/results/policy.out")"
expect 'files of a job' kept "$(cat "$work/results/files.files/note")"

if [[ $all == no ]]; then
  ((failures == 0))
  exit
fi

output=$(guest run --machine smt -- /bin/sh -c 'cat /sys/devices/system/cpu/cpu[25]/topology/thread_siblings_list')
expect 'sibling threads' $'2-3\n4-5' "$output"
output=$(guest run --machine two-nodes-a-package -- /bin/sh -c 'cat /sys/devices/system/node/node[13]/cpulist /sys/devices/system/cpu/cpu4/topology/package_cpus_list')
expect 'two nodes a package' $'4-7\n12-15\n0-7' "$output"
output=$(guest run --machine tigerton -- /bin/sh -c 'cat /sys/devices/system/node/online /sys/devices/system/cpu/cpu4/topology/package_cpus_list')
expect 'four packages, one node' $'0\n4-7' "$output"

# QEMU gives this AMD processor no sibling threads, and only prints a warning.
output=$(guest run --machine smt --qemu -cpu --qemu EPYC -- /bin/sh -c 'echo ran' 2>"$work/err")
expect 'another machine than described' 125 $?
expect 'nothing runs on another machine' '' "$output"
expect 'the difference is told' 'described: core 0 1' "$(grep -m 1 '^described: core' "$work/err")"

guest run --total 1 -- /bin/true 2>"$work/err"
expect 'a boot that takes too long' 125 $?
expect 'that is told' 'guest: the guest was stopped after 1 s' "$(grep -m 1 stopped "$work/err")"

((failures == 0))
