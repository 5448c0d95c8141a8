// SPDX-License-Identifier: BSD-3-Clause
// The same as topology.c, in C++.
#include "topology_lines.h"

int main(int argc, char** argv) { return print_asked(argc, argv); }
