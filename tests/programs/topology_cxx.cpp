// SPDX-License-Identifier: BSD-3-Clause
// topology.c in C++.
#include "topology_lines.h"

int main(int argc, char** argv) { return print_asked(argc, argv); }
