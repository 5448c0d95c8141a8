# SPDX-License-Identifier: BSD-3-Clause
"""What the guest's kernel is told before a program whose memory is watched: to look at it soon and often; and where its threads
are."""

import os

import path

MACHINE = "barcelona"  # four nodes
PATIENCE = 300         # seconds for a program
SECONDS = 200          # until a program ends by itself, should the kernel not look at it
PROGRAMS = os.path.join(path.TESTS, "programs")
# Each thread on a node of its own, from the beginning, and other programs' beside it; and scans that come soon, and go on doing so.
BOUND = "export OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES={$SEAT}:4:4 OMP_WAIT_POLICY=passive\n"
HUGE = "echo {} >/sys/kernel/mm/transparent_hugepage/enabled\n"
AS_USUAL = "echo 1 >/proc/sys/kernel/numa_balancing\ncd /tmp\n"  # the kernel's default scans
BALANCED = "echo 1 >/proc/sys/kernel/numa_balancing\n" \
           "mount -t debugfs none /sys/kernel/debug 2>/dev/null\n" \
           "cd /sys/kernel/debug/sched/numa_balancing && echo 500 >scan_delay_ms && echo 500 >scan_period_min_ms &&" \
           " echo 1000 >scan_period_max_ms; cd /tmp\n"
# So many busy processes, beside all that runs at once, until the first of that ends.
LOAD = 'if [ "$SEAT" = 0 ]; then for i in $(seq {}); do while :; do :; done & busy="$busy $!"; done; trap "kill $busy" EXIT; fi\n'
