#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What nestbind is worth and costs on a node with several NUMA nodes, unattended, in at most 20 minutes after the build:
#
#   bench/site.sh [FILE]     FILE (nestbind-site.csv): figures alone, without names of hosts or users, to be sent back
#
# Run it in a job that has a whole node. Needs what README names, and a C compiler with OpenMP; mpicc and mpiexec if they are there.
# `bench/report.py --site FILE` makes tables of it.
set -euo pipefail
out=$(realpath -m "${1:-nestbind-site.csv}")
cd "$(dirname "$(realpath "$0")")/.."
build=${NESTBIND_SITE_BUILD:-build/site-bench}
log=$build/log
mkdir -p "$build"
{ cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DNESTBIND_BUILD_BENCH=ON && cmake --build "$build" -j "$(nproc)"; } >"$log" 2>&1 ||
  { tail -n 30 "$log"; exit 1; }
exec python3 -B bench/site.py --build "$build" "$out"
