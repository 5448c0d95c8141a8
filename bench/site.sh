#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures the gain and the cost of nestbind on a machine with several NUMA nodes. Runs unattended,
# for at most 20 minutes after the build:
#
#   bench/site.sh [FILE]
#
# FILE (by default nestbind-site.csv) gets only figures, without names of hosts or users. Run the
# script in a job that has a whole node of the cluster. The script needs the packages that README
# names, and a C compiler with OpenMP. `bench/report.py --site FILE` makes tables of FILE.
set -euo pipefail
out=$(realpath -m "${1:-nestbind-site.csv}")
cd "$(dirname "$(realpath "$0")")/.."
build=${NESTBIND_SITE_BUILD:-build/site-bench}
log=$build/log
mkdir -p "$build"
{ cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DNESTBIND_BUILD_BENCH=ON && cmake --build "$build" -j "$(nproc)"; } >"$log" 2>&1 ||
  { tail -n 30 "$log"; exit 1; }
exec python3 -B bench/site.py --build "$build" "$out"
