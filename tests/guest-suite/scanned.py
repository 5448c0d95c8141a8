# SPDX-License-Identifier: BSD-3-Clause
"""Settings for programs whose memory is watched."""

import os

import path

MACHINE = "barcelona"
PATIENCE = 300         # seconds for a program
SECONDS = 200          # after this time a program ends, even if the kernel has not scanned its memory
PROGRAMS = os.path.join(path.TESTS, "programs")
# Each thread is on its own node from the beginning. Scans begin early, and do not become rarer.
BOUND = "export OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES={$SEAT}:4:4 OMP_WAIT_POLICY=passive\n"
HUGE = "echo {} >/sys/kernel/mm/transparent_hugepage/enabled\n"
AS_USUAL = "echo 1 >/proc/sys/kernel/numa_balancing\ncd /tmp\n"  # the kernel's default scans
BALANCED = "echo 1 >/proc/sys/kernel/numa_balancing\n" \
           "mount -t debugfs none /sys/kernel/debug 2>/dev/null\n" \
           "cd /sys/kernel/debug/sched/numa_balancing && echo 500 >scan_delay_ms && echo 500 >scan_period_min_ms &&" \
           " echo 1000 >scan_period_max_ms; cd /tmp\n"
# Starts busy processes. They end when the program of seat 0 ends.
LOAD = 'if [ "$SEAT" = 0 ]; then for i in $(seq {}); do while :; do :; done & busy="$busy $!"; done; trap "kill $busy" EXIT; fi\n'
