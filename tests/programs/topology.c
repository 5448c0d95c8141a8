/* SPDX-License-Identifier: BSD-3-Clause */
/* topology WHAT...: what nestbind/topology.h answers (topology_lines.h). */
#include "topology_lines.h"

int main(int argc, char **argv) { return print_asked(argc, argv); }
